// SPDX-License-Identifier: MIT
#include "harness/exec/hello.h"

#include "harness/cell.h"
#include "harness/claim.h"
#include "harness/exec/frame.h"
#include "harness/support.h"
#include "harness/variant_type.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is being read, and where a complaint goes.
struct reading {
    struct hello *hello;
    const char *program; // its name
    char *message;
};

static bool complain(const struct reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool complain(const struct reading *reading, const char *format, ...) {
    char text[BACKEND_MESSAGE / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(reading->message, BACKEND_MESSAGE, "The program's hello is refused: %s.", text);
    return false;
}

bool hello_is_name(const char *name) {
    const char *c = name;
    while (isalnum((unsigned char)*c) || (*c && strchr("_-.", *c)))
        c++;
    return c > name && !*c;
}

// ---- members of an object ----

// A claim that is spelt wrong must not pass for one that is not made, so no key is unknown.
static bool knows_keys(const struct reading *reading, const json_t *object, const char *what, const char *const *keys) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return complain(reading, "%s has the unknown key \"%.60s\"", what, key);
    }
    return true;
}

// A text of one line; where it is absent and not needed, *text stays as it is.
static bool take_text(const struct reading *reading, const json_t *object, const char *key, bool needed, size_t room,
                      const char **text) {
    const json_t *value = json_object_get(object, key);
    if (!value)
        return !needed || complain(reading, "it has no \"%s\"", key);
    const char *found = json_string_value(value);
    if (!found || !*found || strlen(found) >= room || strpbrk(found, "\n\r"))
        return complain(reading, "\"%s\" is no text of one line and 1 to %zu bytes", key, room - 1);
    *text = found;
    return true;
}

static bool take_flag(const struct reading *reading, const json_t *object, const char *key, bool *flag) {
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        return complain(reading, "\"%s\" is neither true nor false", key);
    *flag = json_is_true(value);
    return true;
}

// ---- claims ----

// Which bounds a program can claim: those that need no more than the height of its tree.
static bool parse_accuracy(const char *word, enum reductio_accuracy *accuracy) {
    static const enum reductio_accuracy known[] = {REDUCTIO_ANY_ORDER,        REDUCTIO_HEIGHT, REDUCTIO_COMPENSATED,
                                                   REDUCTIO_DOUBLE_WORD,      REDUCTIO_WIDE,   REDUCTIO_FAITHFUL,
                                                   REDUCTIO_CORRECTLY_ROUNDED};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, accuracy_name(known[i])) == 0) {
            *accuracy = known[i];
            return true;
        }
    return false;
}

static bool take_accuracy(const struct reading *reading, const json_t *claims, struct hello_row *row) {
    const char *word = NULL;
    if (!take_text(reading, claims, "accuracy", false, CARD_NAME, &word))
        return false;
    enum reductio_accuracy *accuracy = &row->variant.claims.accuracy;
    if (word && !parse_accuracy(word, accuracy))
        return complain(reading, "no accuracy is called \"%s\"", word);
    row->claims_height = *accuracy == REDUCTIO_HEIGHT || *accuracy == REDUCTIO_COMPENSATED ||
                         *accuracy == REDUCTIO_DOUBLE_WORD || *accuracy == REDUCTIO_WIDE;
    return true;
}

static bool take_same_bits(const struct reading *reading, const json_t *claims, struct reductio_variant *variant) {
    static const struct {
        const char *word;
        unsigned member;
    } known[] = {{"run", REDUCTIO_RUN},
                 {"placement", REDUCTIO_PLACEMENT},
                 {"order", REDUCTIO_ORDER},
                 {"device", REDUCTIO_DEVICE}};
    enum { KNOWN = sizeof known / sizeof *known };
    const json_t *list = json_object_get(claims, "same_bits");
    if (list && !json_is_array(list))
        return complain(reading, "\"same_bits\" is no list");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *word = json_string_value(json_array_get(list, i));
        size_t k = 0;
        while (word && k < KNOWN && strcmp(known[k].word, word) != 0)
            k++;
        if (!word || k == KNOWN)
            return complain(reading, "\"same_bits\" holds what is none of run, placement, order and device");
        variant->claims.same_bits |= known[k].member;
    }
    if ((variant->claims.same_bits & REDUCTIO_PLACEMENT) && variant->fixed_placement)
        return complain(reading, "row %s claims the same bits at every placement and does not place (\"places\")",
                        variant->name);
    return true;
}

static bool take_answer(const struct reading *reading, const json_t *claims, const char *key,
                        enum reductio_answer *answer) {
    bool yes = false;
    if (!take_flag(reading, claims, key, &yes))
        return false;
    if (json_object_get(claims, key))
        *answer = yes ? REDUCTIO_YES : REDUCTIO_NO;
    return true;
}

static bool take_zero(const struct reading *reading, const json_t *claims, enum reductio_zero *zero) {
    const char *word = NULL;
    if (!take_text(reading, claims, "all_minus_zero", false, CARD_NAME, &word))
        return false;
    if (word && strcmp(word, "minus") != 0 && strcmp(word, "plus") != 0)
        return complain(reading, "\"all_minus_zero\" is neither \"minus\" nor \"plus\"");
    if (word)
        *zero = *word == 'm' ? REDUCTIO_MINUS : REDUCTIO_PLUS;
    return true;
}

static bool take_claims(const struct reading *reading, const json_t *claims, struct hello_row *row) {
    static const char *const keys[] = {
        "accuracy", "same_bits", "keeps_subnormals", "may_overflow_early", "specials", "all_minus_zero", "empty", NULL};
    struct reductio_claims *into = &row->variant.claims;
    if (!claims)
        return true;
    if (!json_is_object(claims))
        return complain(reading, "the claims of row %s are no object", row->variant.name);
    return knows_keys(reading, claims, "a row's claims", keys) && take_accuracy(reading, claims, row) &&
           take_same_bits(reading, claims, &row->variant) &&
           take_answer(reading, claims, "keeps_subnormals", &into->keeps_subnormals) &&
           take_answer(reading, claims, "may_overflow_early", &into->may_overflow_early) &&
           take_answer(reading, claims, "specials", &into->specials) &&
           take_answer(reading, claims, "empty", &into->empty) && take_zero(reading, claims, &into->all_minus_zero);
}

// ---- rows ----

struct hello_row *hello_add_row(struct hello *hello) {
    hello->rows = grow_array(hello->rows, hello->row_count, sizeof *hello->rows);
    struct hello_row *row = &hello->rows[hello->row_count++];
    *row = (struct hello_row){.variant = {.backend = "exec", .fixed_placement = true}};
    return row;
}

void hello_close_rows(struct hello *hello) {
    hello->variants = must_calloc(hello->row_count + 1, sizeof *hello->variants);
    for (size_t i = 0; i < hello->row_count; i++)
        hello->variants[i] = &hello->rows[i].variant;
}

static bool take_names(const struct reading *reading, const json_t *object, struct reductio_variant *variant) {
    const char *name = NULL, *type = NULL;
    enum float_type in, out;
    if (!take_text(reading, object, "name", true, CARD_NAME, &name) ||
        !take_text(reading, object, "type", true, CARD_NAME, &type))
        return false;
    if (!hello_is_name(name) || strlen(reading->program) + 1 + strlen(name) >= CARD_NAME)
        return complain(reading,
                        "\"%.60s\" is no name of a row: letters, digits, '_', '-' and '.', with the program's "
                        "name %d bytes at most",
                        name, CARD_NAME - 1);
    if (!variant_type_parse(type, &in, &out))
        return complain(reading, "row %s has the type \"%.20s\"; there are " VARIANT_TYPE_NAMES, name, type);
    variant->name = text_format("%s.%s", reading->program, name);
    variant->type = must_copy_text(type);
    for (size_t i = 0; i + 1 < reading->hello->row_count; i++) {
        const struct reductio_variant *other = &reading->hello->rows[i].variant;
        if (strcmp(other->name, variant->name) == 0 && strcmp(other->type, type) == 0)
            return complain(reading, "it has two rows %s of type %s", variant->name, type);
    }
    return true;
}

static bool take_row(const struct reading *reading, const json_t *object) {
    static const char *const keys[] = {"name",  "type",   "summary", "origin", "absent",
                                       "max_n", "places", "heights", "claims", NULL};
    struct hello_row *row = hello_add_row(reading->hello);
    struct reductio_variant *variant = &row->variant;
    const char *texts[] = {"the sum of a program", NULL, NULL};
    bool places = false;
    if (!json_is_object(object))
        return complain(reading, "a row is no object");
    if (!knows_keys(reading, object, "a row", keys) || !take_names(reading, object, variant) ||
        !take_text(reading, object, "summary", false, CARD_TEXT, &texts[0]) ||
        !take_text(reading, object, "origin", false, CARD_TEXT, &texts[1]) ||
        !take_text(reading, object, "absent", false, CARD_TEXT, &texts[2]) ||
        !take_flag(reading, object, "places", &places) || !take_flag(reading, object, "heights", &row->tells_height))
        return false;
    variant->summary = must_copy_text(texts[0]);
    variant->origin = must_copy_text(texts[1]);
    variant->absent = must_copy_text(texts[2]);
    variant->fixed_placement = !places;
    const json_t *most = json_object_get(object, "max_n");
    if (most && (!json_is_integer(most) || json_integer_value(most) < 1))
        return complain(reading, "\"max_n\" of row %s is no whole number from 1 on", variant->name);
    variant->max_n = (size_t)json_integer_value(most);
    return take_claims(reading, json_object_get(object, "claims"), row);
}

static bool take_rows(const struct reading *reading, const json_t *rows) {
    if (!json_is_array(rows) || json_array_size(rows) == 0 || json_array_size(rows) > HELLO_MOST_ROWS)
        return complain(reading, "\"rows\" is no list of 1 to %d rows", HELLO_MOST_ROWS);
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!take_row(reading, json_array_get(rows, i)))
            return false;
    hello_close_rows(reading->hello);
    return true;
}

// ---- the whole ----

static void add_line(const struct reading *reading, const char *key, const char *value) {
    struct hello *hello = reading->hello;
    hello->lines = grow_array(hello->lines, hello->line_count, sizeof *hello->lines);
    hello->lines[hello->line_count++] =
        (struct text_pair){.key = text_format("%s.%s", reading->program, key), .value = must_copy_text(value)};
}

static bool take_environment(const struct reading *reading, const json_t *root) {
    static const char *const own[] = {"library", "device"};
    const json_t *more = json_object_get(root, "environment");
    const char *key;
    json_t *value;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const char *text = NULL;
        if (!take_text(reading, root, own[i], true, CARD_TEXT, &text))
            return false;
        add_line(reading, own[i], text);
    }
    if (more && !json_is_object(more))
        return complain(reading, "\"environment\" is no object of texts");
    json_object_foreach((json_t *)more, key, value) {
        const char *text = NULL;
        if (!hello_is_name(key))
            return complain(reading, "\"%.60s\" is no key of an environment", key);
        if (!take_text(reading, more, key, true, CARD_TEXT, &text))
            return false;
        add_line(reading, key, text);
    }
    return true;
}

static bool read_root(struct reading *reading, const json_t *root) {
    static const char *const keys[] = {"version", "name", "library", "device", "environment", "rows", "absent", NULL};
    const json_t *version = json_object_get(root, "version");
    const char *absent = NULL;
    if (!json_is_integer(version) || json_integer_value(version) != PIPE_VERSION)
        return complain(reading, "it speaks another version of the protocol than %d", PIPE_VERSION);
    if (!knows_keys(reading, root, "it", keys) || !take_text(reading, root, "name", true, CARD_NAME, &reading->program))
        return false;
    if (!hello_is_name(reading->program))
        return complain(reading, "\"%.60s\" is no name of a program: letters, digits, '_', '-' and '.'",
                        reading->program);
    if (!take_text(reading, root, "absent", false, CARD_TEXT, &absent))
        return false;
    if (absent)
        return snprintf(reading->message, BACKEND_MESSAGE, "%s is not here: %s", reading->program, absent) < 0;
    return take_environment(reading, root) && take_rows(reading, json_object_get(root, "rows"));
}

bool hello_read(struct hello *hello, const char *text, char *message) {
    struct reading reading = {.hello = hello, .message = message};
    json_error_t error;
    *hello = (struct hello){0};
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(root)) {
        complain(&reading, "it is no JSON object%s%s", root ? "" : ": ", root ? "" : error.text);
        json_decref(root);
        return false;
    }
    bool good = read_root(&reading, root);
    json_decref(root);
    return good;
}

void hello_free(struct hello *hello) {
    for (size_t i = 0; i < hello->row_count; i++) {
        const struct reductio_variant *variant = &hello->rows[i].variant;
        const char *texts[] = {variant->name, variant->type, variant->summary, variant->origin, variant->absent};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            free((char *)texts[k]);
    }
    for (size_t i = 0; i < hello->line_count; i++) {
        free(hello->lines[i].key);
        free(hello->lines[i].value);
    }
    free(hello->rows);
    free(hello->variants);
    free(hello->lines);
    *hello = (struct hello){0};
}
