// SPDX-License-Identifier: MIT
#include "reports/kill_matrix.h"

#include "harness/finding.h"
#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

// A column of the text table is as wide as its heading.
static const struct {
    const char *name, *heading;
    const char *how;
} detectors[KILL_DETECTORS] = {
    {"bound", "bound", "the error against the exact sum, held to the bound that the row claims"},
    {"specials", "special", "NaN, infinities and signed zeros at every kind of place"},
    {"coverage map", "cover", "each element carries a digit of its own; the exact sum tells how often it was added"},
    {"poison", "poison", "outputs, workspaces and shared memory start as NaNs that differ by place"},
    {"guard", "guard", "arrays end at unmapped pages, and what lies around them is compared afterwards"},
    {"repeats", "repeat", "the same call again"},
    {"schedules", "sched", "threads, blocks and atomics in other orders"},
    {"shapes", "shape", "other launch shapes"},
    {"placement", "place", "other base addresses"},
    {"permutations", "perm", "the same elements in other orders"},
    {"misuse", "misuse", "masks, barriers and launches against CUDA's rules"},
    {"limits", "limit", "a time limit, and threads that wait for each other for ever"},
    {"tsan", "tsan", "ThreadSanitizer, each CUDA thread a fiber, with CUDA's rules of what orders what"},
    {"asan", "asan", "AddressSanitizer, with every array and shared variable between poisoned zones"},
};

const char *kill_detector_name(size_t detector) {
    return detectors[detector].name;
}

const char *kill_detector_how(size_t detector) {
    return detectors[detector].how;
}

static size_t find_detector(const char *name) {
    size_t detector = 0;
    while (detector < KILL_DETECTORS && strcmp(detectors[detector].name, name) != 0)
        detector++;
    return detector;
}

// The row of the fault that this variant is one type of; a new one if it is the first.
static struct kill_row *row_of(struct kill_matrix *matrix, const struct run_view *view, size_t index) {
    const json_t *variant = view->variants[index].json;
    const char *name = text_of(variant, "name");
    for (size_t i = 0; i < matrix->row_count; i++)
        if (strcmp(text_of(matrix->rows[i].variant, "name"), name) == 0)
            return &matrix->rows[i];
    struct kill_row *row = &matrix->rows[matrix->row_count++];
    *row = (struct kill_row){.variant = variant,
                             .index = index,
                             .named = find_detector(text_of(variant, "fault_detector")),
                             .outcome = fault_outcome_of_name(view->faults, view->variant_count, name)};
    return row;
}

static void count_cell(struct kill_row *row, const json_t *cell) {
    size_t i;
    json_t *name;
    json_array_foreach(json_object_get(cell, "detectors"), i, name) {
        size_t detector = find_detector(json_string_value(name));
        if (detector < KILL_DETECTORS)
            row->cells[detector]++;
    }
}

// A sanitizer's build is a backend of its name.
static bool has_backend(const json_t *variants, const char *name) {
    size_t i;
    json_t *variant;
    json_array_foreach(variants, i, variant) {
        if (strcmp(text_of(variant, "backend"), name) == 0)
            return true;
    }
    return false;
}

static void note_who_took_part(struct kill_matrix *matrix, const json_t *variants) {
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        matrix->took_part[d] =
            matrix->row_count && (!is_sanitizer(detectors[d].name) || has_backend(variants, detectors[d].name));
}

bool kill_matrix_make(struct kill_matrix *matrix, const struct run_view *view) {
    size_t count = view->variant_count;
    *matrix = (struct kill_matrix){.rows = calloc(count + 1, sizeof *matrix->rows)};
    struct kill_row **of_variant = calloc(count + 1, sizeof *of_variant);
    bool made = matrix->rows && of_variant;
    for (size_t v = 0; made && v < count; v++)
        if (view->variants[v].planted)
            of_variant[v] = row_of(matrix, view, v);
    for (size_t i = 0; made && i < view->cell_count; i++) {
        struct kill_row *row = of_variant[view->cells[i].variant];
        if (row)
            count_cell(row, view->cells[i].json);
    }
    if (made)
        note_who_took_part(matrix, json_object_get(view->json, "variants"));
    free(of_variant);
    return made;
}

void kill_matrix_free(struct kill_matrix *matrix) {
    free(matrix->rows);
    *matrix = (struct kill_matrix){0};
}

bool kill_is_alone(const struct kill_row *row, size_t detector) {
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        if ((row->cells[d] != 0) != (d == detector))
            return false;
    return true;
}

size_t kill_count_alone(const struct kill_matrix *matrix, size_t detector) {
    size_t count = 0;
    for (size_t i = 0; i < matrix->row_count; i++)
        count += kill_is_alone(&matrix->rows[i], detector);
    return count;
}

bool kill_matrix_is_tight(const struct kill_matrix *matrix) {
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        if (matrix->took_part[d] && !kill_count_alone(matrix, d))
            return false;
    return true;
}

// ---- text ----

static int name_width(const struct kill_matrix *matrix) {
    size_t width = strlen("cells in which each detector found it");
    for (size_t i = 0; i < matrix->row_count; i++) {
        size_t length = strlen(text_of(matrix->rows[i].variant, "name"));
        width = length > width ? length : width;
    }
    return (int)width;
}

static void write_text_row(const struct kill_matrix *matrix, const struct kill_row *row, int width, FILE *out) {
    write_printable(text_of(row->variant, "name"), out);
    fprintf(out, "%*s", width - (int)strlen(text_of(row->variant, "name")), "");
    for (size_t d = 0; d < KILL_DETECTORS; d++) {
        int column = (int)strlen(detectors[d].heading);
        if (!matrix->took_part[d])
            continue;
        if (row->cells[d])
            fprintf(out, " %*zu%c", column, row->cells[d], d == row->named ? '*' : ' ');
        else
            fprintf(out, " %*s%c", column, ".", d == row->named ? '!' : ' ');
    }
    fputc('\n', out);
}

static void write_text_alone(const struct kill_matrix *matrix, size_t detector, FILE *out) {
    const char *separator = " alone finds ";
    fputs(detectors[detector].name, out);
    for (size_t i = 0; i < matrix->row_count; i++)
        if (kill_is_alone(&matrix->rows[i], detector)) {
            fputs(separator, out);
            write_printable(text_of(matrix->rows[i].variant, "name"), out);
            separator = ", ";
        }
    fputs(kill_count_alone(matrix, detector) ? "\n" : " FINDS NOTHING that no other detector finds\n", out);
}

void write_kill_matrix_text(const struct kill_matrix *matrix, bool complete, FILE *out) {
    int width = name_width(matrix);
    fprintf(out, "\n%-*s", width, "cells in which each detector found it");
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        if (matrix->took_part[d])
            fprintf(out, " %s ", detectors[d].heading);
    fputc('\n', out);
    for (size_t i = 0; i < matrix->row_count; i++)
        write_text_row(matrix, &matrix->rows[i], width, out);
    fputs("* the detector that the fault names; ! it found nothing\n\n", out);
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        if (matrix->took_part[d] && (complete || kill_count_alone(matrix, d)))
            write_text_alone(matrix, d, out);
}

// ---- Markdown ----

// As code where it is an identifier, which needs no escapes.
static void write_markdown_name(const char *name, FILE *out) {
    bool plain = *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
    fputs("| ", out);
    if (plain)
        fprintf(out, "`%s`", name);
    else
        write_markdown(name, out);
    fputc(' ', out);
}

// A fault that the detector alone finds; where there is none, one that it finds.
static const char *find_example(const struct kill_matrix *matrix, size_t detector) {
    const struct kill_row *example = NULL;
    for (size_t i = 0; i < matrix->row_count; i++) {
        const struct kill_row *row = &matrix->rows[i];
        if (row->cells[detector] && (!example || (kill_is_alone(row, detector) && !kill_is_alone(example, detector))))
            example = row;
    }
    return example ? text_of(example->variant, "name") : "";
}

static void write_markdown_row(const struct kill_row *row, FILE *out) {
    static const char *const members[] = {"summary", "fault_finding", "fault_detector"};
    write_markdown_name(text_of(row->variant, "name"), out);
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        fputs("| ", out);
        write_markdown(text_of(row->variant, members[m]), out);
        fputc(' ', out);
    }
    if (row->outcome != FAULT_CAUGHT) {
        const char *strong = fault_outcome_is_bad(row->outcome) ? "**" : "";
        fprintf(out, "(%s%s%s) ", strong, fault_outcome_word(row->outcome), strong);
    }
    fputs("|", out);
    const char *separator = " ";
    for (size_t d = 0; d < KILL_DETECTORS; d++)
        if (row->cells[d] && d != row->named) {
            fprintf(out, "%s%s", separator, detectors[d].name);
            separator = ", ";
        }
    fputs(" |\n", out);
}

void write_kill_matrix_markdown(const struct kill_matrix *matrix, FILE *out) {
    fputs("\n| planted fault | what is wrong | must show | by | also seen by |\n|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < matrix->row_count; i++)
        write_markdown_row(&matrix->rows[i], out);
    fputs("\n| detector | how | faults found | by it alone | such as |\n|---|---|---:|---:|---|\n", out);
    for (size_t d = 0; d < KILL_DETECTORS; d++) {
        if (!matrix->took_part[d])
            continue;
        size_t found = 0;
        for (size_t i = 0; i < matrix->row_count; i++)
            found += matrix->rows[i].cells[d] != 0;
        fprintf(out, "| %s | %s | %zu | %zu ", detectors[d].name, detectors[d].how, found, kill_count_alone(matrix, d));
        write_markdown_name(find_example(matrix, d), out);
        fputs("|\n", out);
    }
}
