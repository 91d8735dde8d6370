// SPDX-License-Identifier: MIT
// A checked run back into struct run_result, driven by the tables of record.c: the way back of json.c.
#include "reports/record.h"
#include "reports/reports.h"
#include "reports/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_record(const json_t *object, const struct record_type *type, void *record);

static void *member_at(void *record, size_t offset) {
    return (char *)record + offset;
}

static bool read_text(const json_t *value, char **text) {
    *text = json_is_string(value) ? strdup(json_string_value(value)) : NULL;
    return *text || !json_is_string(value);
}

static uint32_t read_set(const json_t *numbers) {
    uint32_t set = 0;
    for (size_t i = 0; i < json_array_size(numbers); i++)
        set |= UINT32_C(1) << json_integer_value(json_array_get(numbers, i));
    return set;
}

static enum finding read_finding(const json_t *word) {
    enum finding finding = FINDING_DID_NOT_RUN;
    finding_parse(json_string_value(word), &finding);
    return finding;
}

static finding_set read_findings(const json_t *words) {
    finding_set set = 0;
    for (size_t i = 0; i < json_array_size(words); i++)
        set |= (finding_set)1 << read_finding(json_array_get(words, i));
    return set;
}

static enum claim_status read_status(const json_t *word) {
    enum claim_status status = CLAIM_NOT_CLAIMED;
    while (status < CLAIM_NOT_TESTED && strcmp(claim_status_word(status), json_string_value(word)) != 0)
        status++;
    return status;
}

static size_t item_size(const struct record_field *field) {
    switch (field->kind) {
    case RECORD_TEXTS:
        return sizeof(char *);
    case RECORD_COUNTS:
        return sizeof(uint64_t);
    case RECORD_PAIRS:
        return sizeof(struct text_pair);
    default:
        return field->items->size;
    }
}

static bool read_pairs(const json_t *object, struct text_pair *pairs) {
    const char *key;
    json_t *value;
    bool good = true;
    json_object_foreach((json_t *)object, key, value) {
        pairs->key = strdup(key);
        good = read_text(value, &pairs->value) && pairs->key && good;
        pairs++;
    }
    return good;
}

static bool read_item(const struct record_field *field, const json_t *value, void *item) {
    switch (field->kind) {
    case RECORD_TEXTS:
        return read_text(value, item);
    case RECORD_COUNTS:
        *(uint64_t *)item = (uint64_t)json_integer_value(value);
        return true;
    default:
        return read_record(value, field->items, item);
    }
}

static bool read_array(const struct record_field *field, const json_t *value, void *record) {
    size_t size = item_size(field);
    size_t length = field->kind == RECORD_PAIRS ? json_object_size(value) : json_array_size(value);
    char *items = length ? calloc(length, size) : NULL;
    if (length && !items)
        return false;
    *(void **)member_at(record, field->offset) = items;
    *(size_t *)member_at(record, field->length_offset) = length;
    if (field->kind == RECORD_PAIRS)
        return read_pairs(value, (struct text_pair *)items);
    for (size_t i = 0; i < length; i++)
        if (!read_item(field, json_array_get(value, i), items + i * size))
            return false;
    return true;
}

static bool read_field(const struct record_field *field, const json_t *value, void *record) {
    void *member = member_at(record, field->offset);
    switch (field->kind) {
    case RECORD_TEXT:
        return read_text(value, member);
    case RECORD_LABEL:
        snprintf(member, field->size, "%s", json_string_value(value));
        return true;
    case RECORD_FIGURE:
        *(double *)member = value ? strtod(json_string_value(value), NULL) : (double)NAN;
        return true;
    case RECORD_BITS:
        *(uint64_t *)member = strtoull(json_string_value(value), NULL, 16);
        return true;
    case RECORD_COUNT:
        *(uint64_t *)member = (uint64_t)json_integer_value(value);
        return true;
    case RECORD_SMALL:
        *(uint32_t *)member = (uint32_t)json_integer_value(value);
        return true;
    case RECORD_INDEX:
        *(size_t *)member = json_is_null(value) ? SIZE_MAX : (size_t)json_integer_value(value);
        return true;
    case RECORD_FLAG:
        *(bool *)member = json_is_true(value);
        return true;
    case RECORD_SET:
        *(uint32_t *)member = read_set(value);
        return true;
    case RECORD_FINDINGS:
        *(finding_set *)member = read_findings(value);
        return true;
    case RECORD_HEAD:
        *(enum finding *)member = read_finding(value);
        return true;
    case RECORD_STATUS:
        *(enum claim_status *)member = read_status(value);
        return true;
    case RECORD_TEXTS:
    case RECORD_COUNTS:
    case RECORD_PAIRS:
    case RECORD_RECORDS:
        return read_array(field, value, record);
    }
    return false;
}

// Absent figures are NaN; whatever else is absent stays 0. Members behind a condition that does not hold have not been
// checked, so they are not read.
static bool read_record(const json_t *object, const struct record_type *type, void *record) {
    bool conditional = false;
    for (size_t i = 0; type->fields[i].name; i++) {
        const struct record_field *field = &type->fields[i];
        conditional |= i == type->conditional && !*(bool *)member_at(record, type->condition);
        const json_t *value = conditional ? NULL : json_object_get(object, field->name);
        if ((value || field->kind == RECORD_FIGURE) && !read_field(field, value, record))
            return false;
    }
    return true;
}

bool result_of_report(const json_t *run, struct run_result *result, char *message) {
    *result = (struct run_result){0};
    if (read_record(run, &run_record, result))
        return true;
    run_result_free(result);
    snprintf(message, REPORT_MESSAGE, "The results do not fit in memory.");
    return false;
}
