// SPDX-License-Identifier: MIT
#include "harness/cell.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void shape_print(struct reductio_shape shape, char *text, size_t size) {
    if (shape.blocks)
        snprintf(text, size, "t%ub%u", shape.threads, shape.blocks);
    else
        snprintf(text, size, "t%u", shape.threads);
}

void cell_key_print(const struct cell_key *key, char *text) {
    char shape[32], schedule[SCHEDULE_TEXT];
    shape_print(key->shape, shape, sizeof shape);
    schedule_name(key->schedule, schedule);
    snprintf(text, CELL_ID_TEXT, "%s@%s/%s/%s/%" PRIu64 "/%s/%s/o%" PRIu32 "/%s", key->variant, key->backend, key->type,
             key->values, key->n, key->order, shape, key->offset, schedule);
}

// Copies [from, to) into a field; false if it is empty or does not fit.
static bool take_field(const char *from, const char *to, char *field, size_t size) {
    size_t length = (size_t)(to - from);
    if (to <= from || length >= size)
        return false;
    memcpy(field, from, length);
    field[length] = '\0';
    return true;
}

// A decimal number that fills the whole text.
static bool take_number(const char *text, uint64_t *value) {
    if (*text < '0' || *text > '9')
        return false;
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *end == '\0' && !errno;
}

// A letter and a number from 1 on that fits an unsigned; returns what follows, or NULL.
static const char *take_count(const char *text, char letter, unsigned *count) {
    int used = 0;
    bool taken = text[0] == letter && text[1] >= '1' && text[1] <= '9' && sscanf(text + 1, "%9u%n", count, &used) == 1;
    return taken ? text + 1 + used : NULL;
}

bool shape_parse(const char *text, struct reductio_shape *shape) {
    *shape = (struct reductio_shape){0};
    const char *rest = take_count(text, 't', &shape->threads);
    if (rest && *rest)
        rest = take_count(rest, 'b', &shape->blocks);
    return rest && !*rest;
}

// Cuts the last "/..." off [text, *end); returns its start, or NULL.
static const char *cut_last(const char *text, const char **end) {
    for (const char *p = *end; p > text; p--)
        if (p[-1] == '/') {
            *end = p - 1;
            return p;
        }
    return NULL;
}

// The five coordinates behind the values, which may contain slashes themselves ("corpus/ramp").
static bool parse_tail(const char *text, const char **end, struct cell_key *key) {
    enum { SCHEDULE, OFFSET, SHAPE, ORDER, N, FIELDS };
    char fields[FIELDS][SCHEDULE_TEXT];
    for (int i = 0; i < FIELDS; i++) {
        const char *stop = *end, *start = cut_last(text, end);
        if (!start || !take_field(start, stop, fields[i], sizeof fields[i]))
            return false;
    }
    uint64_t offset;
    if (fields[OFFSET][0] != 'o' || !take_number(fields[OFFSET] + 1, &offset) || offset > 255)
        return false;
    key->offset = (uint32_t)offset;
    if (strlen(fields[ORDER]) >= sizeof key->order)
        return false;
    strcpy(key->order, fields[ORDER]);
    return take_number(fields[N], &key->n) && shape_parse(fields[SHAPE], &key->shape) &&
           schedule_parse(fields[SCHEDULE], &key->schedule);
}

bool cell_key_parse(const char *text, struct cell_key *key) {
    memset(key, 0, sizeof *key);
    const char *end = text + strlen(text);
    if (strlen(text) >= CELL_ID_TEXT || !parse_tail(text, &end, key))
        return false;
    const char *at = memchr(text, '@', (size_t)(end - text));
    if (!at || !take_field(text, at, key->variant, sizeof key->variant))
        return false;
    const char *slash = memchr(at, '/', (size_t)(end - at));
    if (!slash || !take_field(at + 1, slash, key->backend, sizeof key->backend))
        return false;
    const char *values = memchr(slash + 1, '/', (size_t)(end - slash - 1));
    return values && take_field(slash + 1, values, key->type, sizeof key->type) &&
           take_field(values + 1, end, key->values, sizeof key->values);
}
