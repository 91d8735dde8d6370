// SPDX-License-Identifier: MIT
#include "reports/pack.h"

#include "reports/reports.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 3, KEYS = 3 };

// Which members of a cell tell another one, so that it need not be said. Only size depends on it: a member that is not
// listed is told by the cell before. Keys stand above what they tell; `id` as a key is its middle part, the dataset.
static const struct {
    const char *member, *keys[KEYS];
} tellers[] = {
    {"variant", {NULL}},
    {"dataset", {"variant"}},
    {"n", {"dataset"}},
    {"shape", {"variant", "dataset"}},
    {"schedule", {"variant", "shape"}},
    {"offset", {NULL}},
    {"id", {"variant", "dataset", "shape"}},
    {"attack", {"id", "schedule", "offset"}},
    {"compared_with", {"variant", "id", "attack"}},
    {"runs", {"variant", "dataset"}},
    {"has_result", {NULL}},
    {"bits", {"dataset", "attack"}},
    {"got_hex", {"bits", "variant"}},
    {"got_decimal", {"bits", "variant"}},
    {"rounded_bits", {"dataset"}},
    {"rounded_hex", {"rounded_bits", "dataset"}},
    {"rounded_decimal", {"rounded_bits", "dataset"}},
    {"ulps", {"dataset", "bits"}},
    {"relative_error", {"dataset", "bits"}},
    {"error_over_uA", {"dataset", "bits"}},
    {"bound", {"variant", "dataset"}},
    {"bound_decimal", {"variant", "dataset", "shape"}},
    {"error_over_bound", {"dataset", "bits", "bound_decimal"}},
    {"bound_over_sum", {"dataset", "bound_decimal"}},
    {"head", {"dataset", "bits"}},
    {"findings", {"head", "attack"}},
    {"tested", {"variant", "id", "attack"}},
    {"broken", {"head", "attack"}},
    {"height", {"variant", "n", "shape"}},
    {"serial_terms", {"variant", "n", "shape"}},
    {"workspace_bytes", {"variant", "n", "shape"}},
    {"atomics", {"variant", "n", "shape"}},
    {"patterns", {"dataset", "bits", "runs"}},
    {"min_ulps", {"ulps", "patterns"}},
    {"max_ulps", {"ulps", "patterns"}},
    {"vs", {"patterns"}},
    {"detail", {"head", "bits", "dataset"}},
};
enum { TELLERS = sizeof tellers / sizeof *tellers };

// A member in up to three columns: texts are cut where an identity has its variant, its dataset and the rest.
struct column {
    const char *member;
    size_t keys[KEYS], key_count; // columns
    json_t *numbers;              // text to 1 + its number
    uint32_t *rows;               // 1 + number of the text; 0 where the row lacks the member
};

struct packing {
    const json_t *cells;
    size_t row_count;
    struct column *columns;
    size_t column_count, column_room;
    char *buffer; // one value as text
    size_t used, room;
    FILE *text, *codes;
    bool failed; // a write: glibc's memory streams set no error flag when memory is out, so each write is asked
};

static bool is_identity(const char *member) {
    return !strcmp(member, "id") || !strcmp(member, "compared_with");
}

static int append(const char *bytes, size_t size, void *data) {
    struct packing *packing = data;
    if (packing->used + size + 1 > packing->room) {
        size_t room = 2 * (packing->used + size + 1);
        char *grown = realloc(packing->buffer, room);
        if (!grown)
            return -1;
        packing->buffer = grown;
        packing->room = room;
    }
    memcpy(packing->buffer + packing->used, bytes, size);
    packing->used += size;
    packing->buffer[packing->used] = '\0';
    return 0;
}

// The number of a text in a column, plus 1; 0 when memory is out.
static uint32_t number_of(struct column *column, const char *text) {
    const json_t *have = json_object_get(column->numbers, text);
    if (have)
        return (uint32_t)json_integer_value(have);
    size_t number = json_object_size(column->numbers) + 1;
    return json_object_set_new_nocheck(column->numbers, text, json_integer((json_int_t)number)) ? 0 : (uint32_t)number;
}

static bool put_value(struct packing *packing, struct column *column, size_t row, const json_t *value) {
    packing->used = 0;
    if (json_dump_callback(value, append, packing, JSON_COMPACT | JSON_ENCODE_ANY))
        return false;
    column->rows[row] = number_of(column, packing->buffer);
    return column->rows[row];
}

// "host_kahan@host/ f32/ones/48/given /t1/o0/hw"; what has fewer slashes is all in the first part.
static void cut_identity(const char *text, size_t cuts[2]) {
    size_t end = strlen(text), first = strcspn(text, "/"), slashes = 0, last = end;
    while (last > 0 && slashes < 3)
        slashes += text[--last] == '/';
    bool whole = slashes < 3 || last <= first;
    cuts[0] = whole ? end : first + 1;
    cuts[1] = whole ? end : last;
}

static bool put_identity(struct packing *packing, struct column *columns, size_t row, const json_t *value) {
    size_t cuts[2];
    packing->used = 0;
    if (json_dump_callback(value, append, packing, JSON_COMPACT | JSON_ENCODE_ANY))
        return false;
    cut_identity(packing->buffer, cuts);
    const size_t starts[PARTS + 1] = {0, cuts[0], cuts[1], packing->used};
    for (size_t part = 0; part < PARTS; part++) {
        char *text = strndup(packing->buffer + starts[part], starts[part + 1] - starts[part]);
        columns[part].rows[row] = text ? number_of(&columns[part], text) : 0;
        free(text);
        if (!columns[part].rows[row])
            return false;
    }
    return true;
}

// ---- columns ----

static size_t find_column(const struct packing *packing, const char *member) {
    for (size_t c = 0; c < packing->column_count; c++)
        if (!strcmp(packing->columns[c].member, member))
            return is_identity(member) ? c + 1 : c;
    return SIZE_MAX;
}

static struct column *add_column(struct packing *packing, const char *member) {
    if (packing->column_count == packing->column_room) {
        size_t room = 2 * packing->column_room + 64;
        struct column *grown = realloc(packing->columns, room * sizeof *grown);
        if (!grown)
            return NULL;
        packing->columns = grown;
        packing->column_room = room;
    }
    struct column *column = &packing->columns[packing->column_count++];
    *column = (struct column){.member = member, .numbers = json_object()};
    column->rows = calloc(packing->row_count, sizeof *column->rows);
    return column->numbers && column->rows ? column : NULL;
}

static void add_key(const struct packing *packing, struct column *column, const char *member) {
    size_t key = find_column(packing, member);
    if (key != SIZE_MAX && key < (size_t)(column - packing->columns))
        column->keys[column->key_count++] = key;
}

static bool fill_member(struct packing *packing, const char *member, const char *const *keys) {
    size_t first = packing->column_count, parts = is_identity(member) ? PARTS : 1, row;
    json_t *cell;
    for (size_t part = 0; part < parts; part++) {
        struct column *column = add_column(packing, member);
        if (!column)
            return false;
        for (size_t k = 0; keys && k < KEYS && keys[k]; k++)
            add_key(packing, column, keys[k]);
    }
    bool good = true;
    json_array_foreach(packing->cells, row, cell) {
        const json_t *value = json_object_get(cell, member);
        struct column *columns = &packing->columns[first];
        if (value)
            good = good &&
                   (parts == 1 ? put_value(packing, columns, row, value) : put_identity(packing, columns, row, value));
    }
    return good;
}

// The first column: the names of a cell's members, as a JSON array.
static bool fill_members(struct packing *packing) {
    struct column *column = add_column(packing, "");
    size_t row;
    json_t *cell, *value;
    bool good = column;
    json_array_foreach(packing->cells, row, cell) {
        json_t *names = json_array();
        const char *name;
        json_object_foreach(cell, name, value) {
            good = good && json_array_append_new(names, json_string(name)) == 0;
        }
        good = good && put_value(packing, column, row, names);
        json_decref(names);
    }
    return good;
}

static bool fill_columns(struct packing *packing) {
    const char *name;
    size_t row;
    json_t *cell, *value;
    bool good = fill_members(packing);
    for (size_t t = 0; good && t < TELLERS; t++)
        good = fill_member(packing, tellers[t].member, tellers[t].keys);
    json_array_foreach(packing->cells, row, cell) {
        // Cells of one shape have the same members: only the first of each shape may bring a new one.
        if (!good || (row && packing->columns[0].rows[row] <= packing->columns[0].rows[row - 1]))
            continue;
        json_object_foreach(cell, name, value) {
            if (good && find_column(packing, name) == SIZE_MAX)
                good = fill_member(packing, name, NULL);
        }
    }
    return good;
}

// ---- codes ----

struct ranked {
    uint64_t key;
    size_t row;
};

static int compare_ranked(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

// Numbers the rows so that two have the same one just where their texts in all key columns are the same.
static bool number_keys(const struct packing *packing, const struct column *column, uint32_t *numbers) {
    struct ranked *ranked = calloc(packing->row_count, sizeof *ranked);
    bool good = ranked;
    memset(numbers, 0, packing->row_count * sizeof *numbers);
    for (size_t k = 0; good && k < column->key_count; k++) {
        const uint32_t *rows = packing->columns[column->keys[k]].rows;
        for (size_t row = 0; row < packing->row_count; row++)
            ranked[row] = (struct ranked){(uint64_t)numbers[row] << 32 | rows[row], row};
        qsort(ranked, packing->row_count, sizeof *ranked, compare_ranked);
        uint32_t number = 0;
        for (size_t i = 0; i < packing->row_count; i++) {
            number += i && ranked[i].key != ranked[i - 1].key;
            numbers[ranked[i].row] = number;
        }
    }
    free(ranked);
    return good;
}

static void put_code(struct packing *packing, uint32_t code) {
    for (; code >= 0x80; code >>= 7)
        packing->failed |= fputc((int)(code & 0x7f) | 0x80, packing->codes) == EOF;
    packing->failed |= fputc((int)code, packing->codes) == EOF;
}

static void put_text(struct packing *packing, const char *text, size_t size, char end) {
    packing->failed |= fwrite(text, 1, size, packing->text) != size || fputc(end, packing->text) == EOF;
}

// By number, since an object keeps its members' order. Numbers count in the order of rows, as the codes do.
static const char **list_texts(const struct column *column) {
    const char **texts = calloc(json_object_size(column->numbers) + 1, sizeof *texts), *text;
    size_t count = 0;
    json_t *number;
    json_object_foreach(column->numbers, text, number) {
        if (texts)
            texts[count++] = text;
    }
    return texts;
}

// What a row's key tells where no earlier row has the same: the text of the first key column.
static bool key_says_it(const struct packing *packing, const struct column *column, size_t row, const char *text) {
    const struct column *key = column->key_count ? &packing->columns[column->keys[0]] : NULL;
    const json_t *number = key && key->rows[row] ? json_object_get(key->numbers, text) : NULL;
    return number && (uint32_t)json_integer_value(number) == key->rows[row];
}

static void write_row(struct packing *packing, const struct column *column, const char *text, size_t row, uint32_t last,
                      uint32_t *met) {
    bool is_new = column->rows[row] > *met;
    bool told = last ? last == column->rows[row] : key_says_it(packing, column, row, text);
    put_code(packing, told ? 0 : is_new ? 1 : column->rows[row] + 1);
    if (!told && is_new)
        put_text(packing, text, strlen(text), '\n');
    *met += is_new;
}

static bool write_column(struct packing *packing, const struct column *column) {
    const char **texts = list_texts(column);
    uint32_t *keys = calloc(packing->row_count, sizeof *keys), *last = calloc(packing->row_count, sizeof *last);
    uint32_t met = 0;
    bool good = texts && keys && last && number_keys(packing, column, keys);
    for (size_t row = 0; good && row < packing->row_count; row++)
        if (column->rows[row]) {
            write_row(packing, column, texts[column->rows[row] - 1], row, last[keys[row]], &met);
            last[keys[row]] = column->rows[row];
        }
    put_text(packing, "", 0, '\0');
    free(texts);
    free(keys);
    free(last);
    return good;
}

// ---- the whole ----

static bool write_specification(struct packing *packing) {
    json_t *columns = json_array();
    bool good = columns;
    for (size_t c = 0; good && c < packing->column_count; c++) {
        const struct column *column = &packing->columns[c];
        json_t *keys = json_array();
        for (size_t k = 0; keys && k < column->key_count; k++)
            good = good && json_array_append_new(keys, json_integer((json_int_t)column->keys[k])) == 0;
        good = good && json_array_append_new(columns, json_pack("[so]", column->member, keys)) == 0;
    }
    json_t *whole = json_pack("{sIso}", "rows", (json_int_t)packing->row_count, "columns", columns);
    good = good && whole && json_dumpf(whole, packing->text, JSON_COMPACT) == 0;
    json_decref(whole);
    put_text(packing, "", 0, '\0');
    return good;
}

// The JSON without its cells, in two pieces. A line feed within a string is escaped, so that the member can be found.
static bool write_around(struct packing *packing, const json_t *run) {
    static const char empty[] = "\n\"cells\": []";
    char *text = NULL, message[REPORT_MESSAGE];
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    json_t *rest = json_copy((json_t *)run);
    bool good = memory && rest && json_object_set_new(rest, "cells", json_array()) == 0 &&
                report_write_json(rest, memory, message);
    good = memory && fclose(memory) == 0 && good;
    const char *place = good && text ? strstr(text, empty) : NULL;
    good = place;
    if (place && packing->row_count)
        packing->failed |= fprintf(packing->text, "%.*s\n\"cells\": [\n%c\n]%s%c", (int)(place - text), text, '\0',
                                   place + sizeof empty - 1, '\0') < 0;
    else if (place)
        packing->failed |= fprintf(packing->text, "%s%c%c", text, '\0', '\0') < 0;
    free(text);
    json_decref(rest);
    return good;
}

static void packing_free(struct packing *packing) {
    for (size_t c = 0; c < packing->column_count; c++) {
        json_decref(packing->columns[c].numbers);
        free(packing->columns[c].rows);
    }
    free(packing->columns);
    free(packing->buffer);
}

static bool write_streams(struct packing *packing, const json_t *run) {
    bool good = !packing->row_count || fill_columns(packing);
    good = good && write_specification(packing) && write_around(packing, run);
    for (size_t c = 0; good && c < packing->column_count; c++)
        good = write_column(packing, &packing->columns[c]);
    return good;
}

bool pack_make(struct pack *pack, const json_t *run) {
    *pack = (struct pack){0};
    struct packing packing = {.cells = json_object_get(run, "cells"),
                              .text = open_memstream(&pack->text, &pack->text_size),
                              .codes = open_memstream(&pack->codes, &pack->codes_size)};
    packing.row_count = json_array_size(packing.cells);
    bool good = packing.text && packing.codes && write_streams(&packing, run);
    good = packing.text && fclose(packing.text) == 0 && good;
    good = packing.codes && fclose(packing.codes) == 0 && good;
    packing_free(&packing);
    return good && !packing.failed && pack->text && pack->codes; // closing may leave NULL
}

void pack_free(struct pack *pack) {
    free(pack->text);
    free(pack->codes);
    *pack = (struct pack){0};
}
