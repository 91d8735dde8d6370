// SPDX-License-Identifier: MIT
// Reads results files that anyone may have written: nothing in one is believed before record.c's tables have been held
// against it.
#include "reports/record.h"
#include "reports/reports.h"
#include "reports/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PATH_TEXT = 128 };

struct check {
    const json_t *run;
    const char *name; // of the file
    char *message;    // REPORT_MESSAGE bytes
};

static bool fault(const struct check *check, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fault(const struct check *check, const char *format, ...) {
    int used = snprintf(check->message, REPORT_MESSAGE, "%.400s: ", check->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->message + used, (size_t)(REPORT_MESSAGE - used), format, arguments);
    va_end(arguments);
    return false;
}

static bool is_figure(const json_t *value) {
    const char *text = json_string_value(value);
    char *end;
    if (!text || !*text)
        return false;
    strtod(text, &end);
    return *end == '\0' && *text != ' ' && *text != '\t' && *text != '\n';
}

static bool is_bits(const json_t *value) {
    const char *text = json_string_value(value);
    size_t digits = text && !strncmp(text, "0x", 2) ? strlen(text + 2) : 0;
    return digits >= 1 && digits <= 16 && strspn(text + 2, "0123456789abcdef") == digits;
}

static bool is_count(const json_t *value) {
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool is_bit(const json_t *value) {
    return is_count(value) && json_integer_value(value) < 32;
}

static bool is_finding(const json_t *value) {
    enum finding finding;
    return json_is_string(value) && finding_parse(json_string_value(value), &finding);
}

static bool is_status(const json_t *value) {
    for (int status = CLAIM_NOT_CLAIMED; json_is_string(value) && status <= CLAIM_NOT_TESTED; status++)
        if (!strcmp(json_string_value(value), claim_status_word((enum claim_status)status)))
            return true;
    return false;
}

static bool all_of(const json_t *array, bool (*is_kind)(const json_t *)) {
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!is_kind(json_array_get(array, i)))
            return false;
    return json_is_array(array);
}

static bool is_text(const json_t *value) {
    return json_is_string(value);
}

static bool is_pairs(const json_t *value) {
    const char *key;
    json_t *text;
    json_object_foreach((json_t *)value, key, text) {
        if (!json_is_string(text))
            return false;
    }
    return json_is_object(value);
}

// Offsets name the arrays that an index can point into; the JSON array has the name of that field.
static bool is_index(const struct check *check, const struct record_field *field, const json_t *value) {
    for (const struct record_field *array = run_record.fields; array->name; array++)
        if (array->offset == field->indexes) {
            size_t length = json_array_size(json_object_get(check->run, array->name));
            return (json_is_null(value) && !field->required) ||
                   (is_count(value) && (size_t)json_integer_value(value) < length);
        }
    return false;
}

static const char *expected(enum record_kind kind) {
    static const char *const words[] = {
        [RECORD_TEXT] = "text",
        [RECORD_LABEL] = "text",
        [RECORD_FIGURE] = "a number in a string, such as \"1.5\" or \"inf\"",
        [RECORD_BITS] = "bits in a string, such as \"0x3f800000\"",
        [RECORD_COUNT] = "a count",
        [RECORD_SMALL] = "a count",
        [RECORD_INDEX] = "the index of an element",
        [RECORD_FLAG] = "true or false",
        [RECORD_SET] = "an array of numbers below 32",
        [RECORD_FINDINGS] = "an array of finding words",
        [RECORD_HEAD] = "a finding word",
        [RECORD_STATUS] = "a claim's status word",
        [RECORD_TEXTS] = "an array of text",
        [RECORD_COUNTS] = "an array of counts",
        [RECORD_PAIRS] = "an object of text",
        [RECORD_RECORDS] = "an array of objects",
    };
    return words[kind];
}

static bool is_of_kind(const struct check *check, const struct record_field *field, const json_t *value) {
    switch (field->kind) {
    case RECORD_TEXT:
    case RECORD_LABEL:
        return is_text(value);
    case RECORD_FIGURE:
        return is_figure(value);
    case RECORD_BITS:
        return is_bits(value);
    case RECORD_COUNT:
        return is_count(value);
    case RECORD_SMALL:
        return is_count(value) && json_integer_value(value) <= UINT32_MAX;
    case RECORD_INDEX:
        return is_index(check, field, value);
    case RECORD_FLAG:
        return json_is_boolean(value);
    case RECORD_SET:
        return all_of(value, is_bit);
    case RECORD_FINDINGS:
        return all_of(value, is_finding);
    case RECORD_HEAD:
        return is_finding(value);
    case RECORD_STATUS:
        return is_status(value);
    case RECORD_TEXTS:
        return all_of(value, is_text);
    case RECORD_COUNTS:
        return all_of(value, is_count);
    case RECORD_PAIRS:
        return is_pairs(value);
    case RECORD_RECORDS:
        return json_is_array(value);
    }
    return false;
}

static bool check_record(const struct check *check, const json_t *object, const struct record_type *type,
                         const char *path);

static bool check_elements(const struct check *check, const json_t *array, const struct record_field *field,
                           const char *path) {
    for (size_t i = 0; i < json_array_size(array); i++) {
        char element[PATH_TEXT];
        snprintf(element, sizeof element, "%.60s%s%.30s[%zu]", path, *path ? "." : "", field->name, i);
        if (!check_record(check, json_array_get(array, i), field->items, element))
            return false;
    }
    return true;
}

static bool check_record(const struct check *check, const json_t *object, const struct record_type *type,
                         const char *path) {
    if (!json_is_object(object))
        return fault(check, "%s must be an object.", path);
    for (size_t i = 0; type->fields[i].name; i++) {
        const struct record_field *field = &type->fields[i];
        // The condition, a flag, is the field just before the conditional ones.
        if (i == type->conditional && !json_is_true(json_object_get(object, type->fields[i - 1].name)))
            break;
        const json_t *value = json_object_get(object, field->name);
        if (field->aside)
            continue;
        if (!value && (field->optional || (field->kind == RECORD_TEXT && !field->required)))
            continue;
        const char *dot = *path ? "." : "";
        if (!value)
            return fault(check, "%s%s%s is missing.", path, dot, field->name);
        if (!is_of_kind(check, field, value))
            return fault(check, "%s%s%s must be %s.", path, dot, field->name, expected(field->kind));
        if (field->kind == RECORD_RECORDS && !check_elements(check, value, field, path))
            return false;
    }
    return true;
}

bool report_check(const json_t *run, const char *name, char *message) {
    struct check check = {.run = run, .name = name, .message = message};
    const json_t *version = json_object_get(run, "schema_version");
    if (!json_is_integer(version))
        return fault(&check, "this is not a results file of reductio: it has no schema_version.");
    if (json_integer_value(version) != REPORT_SCHEMA_VERSION)
        return fault(&check, "its schema version is %lld, this program reads version %d.",
                     (long long)json_integer_value(version), REPORT_SCHEMA_VERSION);
    return check_record(&check, run, &run_record, "");
}

static size_t read_more(void *buffer, size_t size, void *file) {
    int got = gzread(file, buffer, (unsigned)size); // Jansson asks for a kilobyte at a time
    return got < 0 ? (size_t)-1 : (size_t)got;
}

// Whether cleaning may change it: most texts are plain ASCII, and a record has millions.
static bool may_be_foul(const char *text) {
    for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++)
        if ((*byte < ' ' && *byte != '\n') || *byte >= 0x7f)
            return true;
    return false;
}

static bool clean_text(json_t *json) {
    if (!may_be_foul(json_string_value(json)))
        return true;
    json_t *clean = text_to_json(json_string_value(json));
    bool good = clean && json_string_set(json, json_string_value(clean)) == 0;
    json_decref(clean);
    return good;
}

// Takes the members over under clean keys, in their order.
static bool clean_keys(json_t *object) {
    const char *key;
    json_t *value, *clean = json_object();
    bool good = clean != NULL;
    json_object_foreach(object, key, value) {
        json_t *name = text_to_json(key);
        good = good && name && !json_object_get(clean, json_string_value(name)) &&
               json_object_set(clean, json_string_value(name), value) == 0;
        json_decref(name);
    }
    good = good && json_object_clear(object) == 0 && json_object_update(object, clean) == 0;
    json_decref(clean);
    return good;
}

// Cleans all texts and keys in place (text/foreign_text.h); false where memory is out, or where two keys of an
// object differ by nothing else. A copy would take as much room again.
static bool clean_texts(json_t *json) {
    const char *key;
    json_t *value;
    size_t i;
    bool good = true, foul_keys = false;
    if (json_is_string(json))
        return clean_text(json);
    json_object_foreach(json, key, value) {
        foul_keys |= may_be_foul(key);
        good = good && clean_texts(value);
    }
    json_array_foreach(json, i, value) {
        good = good && clean_texts(value);
    }
    return good && (!foul_keys || clean_keys(json));
}

// Of records made before it was counted: "8 of 10 attacked cells gave other bits" began with it.
static bool count_differing(const json_t *run) {
    size_t v, c;
    json_t *variant, *claim;
    bool good = true;
    json_array_foreach(json_object_get(run, "variants"), v, variant) {
        json_array_foreach(json_object_get(variant, "claims"), c, claim) {
            const char *observed = text_of(claim, "observed");
            json_int_t differing = isdigit((unsigned char)*observed) ? strtoll(observed, NULL, 10) : 0;
            if (json_is_object(claim) && !json_object_get(claim, "differing"))
                good = good && json_object_set_new(claim, "differing", json_integer(differing)) == 0;
        }
    }
    return good;
}

bool report_load(const char *path, json_t **run, char *message) {
    struct check check = {.name = path, .message = message};
    json_error_t error;
    *run = NULL;
    errno = 0;
    gzFile file = gzopen(path, "r"); // which also reads what is not compressed
    if (!file)
        return fault(&check, "it cannot be read: %s.", strerror(errno ? errno : ENOMEM));
    json_t *json = json_load_callback(read_more, file, JSON_REJECT_DUPLICATES, &error);
    gzclose(file);
    if (!json)
        return fault(&check, "it is not valid JSON: line %d, column %d: %.200s.", error.line, error.column, error.text);
    bool good = clean_texts(json) || fault(&check, "no memory for it, or two of its keys differ by nothing but control "
                                                   "characters.");
    good = good && (count_differing(json) || fault(&check, "no memory for it."));
    if (!good || !report_check(json, path, message)) {
        json_decref(json);
        return false;
    }
    *run = json;
    return true;
}
