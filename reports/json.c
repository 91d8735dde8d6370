// SPDX-License-Identifier: MIT
// struct run_result to JSON, driven by the tables of record.c.
#include "reports/record.h"
#include "reports/reports.h"
#include "reports/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const void *member_at(const void *record, size_t offset) {
    return (const char *)record + offset;
}

static json_t *record_to_json(const void *record, const struct record_type *type);

static json_t *figure_to_json(double figure) {
    char text[FIGURE_TEXT];
    format_figure(figure, text);
    return json_string(text);
}

static json_t *bits_to_json(uint64_t bits) {
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, bits);
    return json_string(text);
}

// JSON integers stop at 2^63 - 1.
static json_t *count_to_json(uint64_t count) {
    return json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count);
}

static json_t *findings_to_json(finding_set set) {
    json_t *words = json_array();
    for (int finding = 0; words && finding < FINDING_COUNT; finding++)
        if (set >> finding & 1 && json_array_append_new(words, text_to_json(finding_word((enum finding)finding)))) {
            json_decref(words);
            return NULL;
        }
    return words;
}

static json_t *set_to_json(uint32_t set) {
    json_t *numbers = json_array();
    for (int bit = 0; numbers && bit < 32; bit++)
        if (set >> bit & 1 && json_array_append_new(numbers, json_integer(bit))) {
            json_decref(numbers);
            return NULL;
        }
    return numbers;
}

static json_t *pairs_to_json(const struct text_pair *pairs, size_t count) {
    json_t *object = json_object();
    for (size_t i = 0; object && i < count; i++) {
        json_t *key = text_to_json(pairs[i].key ? pairs[i].key : "");
        int failed = !key || json_object_set_new(object, json_string_value(key),
                                                 text_to_json(pairs[i].value ? pairs[i].value : ""));
        json_decref(key);
        if (failed) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

// One element of an array member.
static json_t *item_to_json(const struct record_field *field, const void *items, size_t index) {
    switch (field->kind) {
    case RECORD_TEXTS: {
        const char *text = ((char *const *)items)[index];
        return text_to_json(text ? text : "");
    }
    case RECORD_COUNTS:
        return count_to_json(((const uint64_t *)items)[index]);
    default:
        return record_to_json((const char *)items + index * field->items->size, field->items);
    }
}

static json_t *array_to_json(const struct record_field *field, const void *items, size_t length) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < length; i++)
        if (json_array_append_new(array, item_to_json(field, items, i))) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *index_to_json(size_t index) {
    return index == SIZE_MAX ? json_null() : count_to_json(index);
}

static json_t *field_to_json(const struct record_field *field, const void *record) {
    const void *member = member_at(record, field->offset);
    switch (field->kind) {
    case RECORD_TEXT:
        return text_to_json(*(char *const *)member ? *(char *const *)member : "");
    case RECORD_LABEL: {
        char *label = strndup(member, field->size);
        json_t *json = label ? text_to_json(label) : NULL;
        free(label);
        return json;
    }
    case RECORD_FIGURE:
        return figure_to_json(*(const double *)member);
    case RECORD_BITS:
        return bits_to_json(*(const uint64_t *)member);
    case RECORD_COUNT:
        return count_to_json(*(const uint64_t *)member);
    case RECORD_SMALL:
        return json_integer(*(const uint32_t *)member);
    case RECORD_INDEX:
        return index_to_json(*(const size_t *)member);
    case RECORD_FLAG:
        return json_boolean(*(const bool *)member);
    case RECORD_SET:
        return set_to_json(*(const uint32_t *)member);
    case RECORD_FINDINGS:
        return findings_to_json(*(const finding_set *)member);
    case RECORD_HEAD:
        return json_string(finding_word(*(const enum finding *)member));
    case RECORD_STATUS:
        return json_string(claim_status_word(*(const enum claim_status *)member));
    case RECORD_TEXTS:
    case RECORD_COUNTS:
    case RECORD_RECORDS:
        return array_to_json(field, *(void *const *)member, *(const size_t *)member_at(record, field->length_offset));
    case RECORD_PAIRS:
        return pairs_to_json(*(struct text_pair *const *)member,
                             *(const size_t *)member_at(record, field->length_offset));
    }
    return NULL;
}

static bool is_absent(const struct record_field *field, const void *record) {
    if (field->aside)
        return true;
    if (field->optional)
        return !*(const size_t *)member_at(record, field->length_offset);
    return field->kind == RECORD_TEXT && !field->required && !*(char *const *)member_at(record, field->offset);
}

static json_t *record_to_json(const void *record, const struct record_type *type) {
    json_t *object = json_object();
    for (size_t i = 0; object && type->fields[i].name; i++) {
        if (i == type->conditional && !*(const bool *)member_at(record, type->condition))
            break;
        const struct record_field *field = &type->fields[i];
        if (!is_absent(field, record) && json_object_set_new(object, field->name, field_to_json(field, record))) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

json_t *report_of_result(const struct run_result *result, char *message) {
    json_t *members = record_to_json(result, &run_record);
    json_t *run = members ? json_pack("{si}", "schema_version", REPORT_SCHEMA_VERSION) : NULL;
    if (!run || json_object_update(run, members)) {
        snprintf(message, REPORT_MESSAGE, "The results do not fit in memory as JSON.");
        json_decref(run);
        run = NULL;
    }
    json_decref(members);
    return run;
}

static bool set_words(json_t *row, const char *member, const char *words) {
    return !words || json_object_set_new(row, member, text_to_json(words)) == 0;
}

static bool give_words(json_t *rows, const struct run_result *result) {
    for (size_t v = 0; v < result->variant_count; v++) {
        json_t *row = json_array_get(rows, v);
        const struct row_call *given = &result->variants[v].given;
        if (!set_words(row, "variables", given->variables) || !set_words(row, "arguments", given->arguments))
            return false;
    }
    return true;
}

// The note with the row's recorded words replaced; NULL where they do not stand in it.
static json_t *reword(const char *note, const struct variant_result *row) {
    const char *recorded = row->arguments, *given = row->given.arguments;
    const char *at = recorded && given && strcmp(recorded, given) != 0 ? strstr(note, recorded) : NULL;
    return at ? json_sprintf("%.*s%s%s", (int)(at - note), note, given, at + strlen(recorded)) : NULL;
}

static void give_words_in_notes(json_t *notes, const struct run_result *result) {
    for (size_t i = 0; i < json_array_size(notes); i++)
        for (size_t v = 0; v < result->variant_count; v++) {
            json_t *reworded = reword(json_string_value(json_array_get(notes, i)), &result->variants[v]);
            if (reworded) {
                json_array_set_new(notes, i, reworded);
                break;
            }
        }
}

json_t *report_with_given_words(const json_t *run, const struct run_result *result) {
    json_t *shown = json_copy((json_t *)run);
    json_t *rows = json_deep_copy(json_object_get(run, "variants")),
           *notes = json_deep_copy(json_object_get(run, "notes"));
    bool good = shown && rows && notes && give_words(rows, result);
    if (good) {
        give_words_in_notes(notes, result);
        good = json_object_set(shown, "variants", rows) == 0 && json_object_set(shown, "notes", notes) == 0;
    }
    json_decref(rows);
    json_decref(notes);
    if (good)
        return shown;
    json_decref(shown);
    return NULL;
}

// ---- to text: one member a line, one element of an array of objects a line, so that a diff and grep work by cell ----

static bool dump(const json_t *json, FILE *out) {
    return json_dumpf(json, out, JSON_COMPACT | JSON_ENCODE_ANY) == 0;
}

static bool dump_elements(const json_t *array, FILE *out) {
    bool good = fputs("[", out) >= 0;
    for (size_t i = 0; good && i < json_array_size(array); i++)
        good = fputs(i ? ",\n" : "\n", out) >= 0 && dump(json_array_get(array, i), out);
    return good && fputs("\n]", out) >= 0;
}

bool report_write_json(const json_t *run, FILE *out, char *message) {
    const char *key, *separator = "{\n";
    json_t *value;
    bool good = true;
    json_object_foreach((json_t *)run, key, value) {
        json_t *name = json_string(key);
        good = good && name && fputs(separator, out) >= 0 && dump(name, out) && fputs(": ", out) >= 0 &&
               (json_is_object(json_array_get(value, 0)) ? dump_elements(value, out) : dump(value, out));
        json_decref(name);
        separator = ",\n";
    }
    good = good && fputs("\n}\n", out) >= 0;
    if (!good)
        snprintf(message, REPORT_MESSAGE, "The JSON could not be written.");
    return good;
}

bool report_write_claims(const json_t *run, FILE *out, char *message) {
    json_t *claims = json_copy((json_t *)run);
    bool good = claims && json_object_set_new(claims, "cells", json_array()) == 0 &&
                json_object_set_new(claims, "datasets", json_array()) == 0;
    if (!good)
        snprintf(message, REPORT_MESSAGE, "The results do not fit in memory.");
    good = good && report_write_json(claims, out, message);
    json_decref(claims);
    return good;
}
