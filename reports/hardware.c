// SPDX-License-Identifier: MIT
#include "reports/hardware.h"

#include "reports/reports.h"

#include <inttypes.h>
#include <string.h>

static bool same_member(const json_t *a, const json_t *b, const char *member) {
    return !strcmp(text_of(a, member), text_of(b, member));
}

static bool same_question(const json_t *a, const json_t *b) {
    return same_member(a, b, "operation") && same_member(a, b, "what") && same_member(a, b, "type");
}

static void note_backend(struct hardware_table *table, const char *name) {
    for (size_t b = 0; b < table->backend_count; b++)
        if (!strcmp(table->backends[b], name))
            return;
    if (table->backend_count < HARDWARE_BACKENDS)
        table->backends[table->backend_count++] = name;
}

void hardware_table_make(struct hardware_table *table, const json_t *run) {
    size_t i;
    json_t *answer;
    *table = (struct hardware_table){.answers = json_object_get(run, "hardware")};
    json_array_foreach(table->answers, i, answer) {
        note_backend(table, text_of(answer, "backend"));
        table->as_stated += flag_of(answer, "as_stated");
    }
}

bool hardware_opens_row(const struct hardware_table *table, size_t i) {
    const json_t *answer = json_array_get(table->answers, i);
    for (size_t j = 0; j < i; j++)
        if (same_question(json_array_get(table->answers, j), answer))
            return false;
    return true;
}

const json_t *hardware_answer_of(const struct hardware_table *table, size_t i, size_t backend) {
    const json_t *question = json_array_get(table->answers, i), *answer;
    size_t j;
    json_array_foreach(table->answers, j, answer) {
        if (same_question(question, answer) && !strcmp(text_of(answer, "backend"), table->backends[backend]))
            return answer;
    }
    return NULL;
}

// ---- plain text ----

// Columns as wide as the longest text in them.
struct widths {
    int operands, expected, observed;
};

static void widen(int *width, const char *text) {
    *width = (int)strlen(text) > *width ? (int)strlen(text) : *width;
}

static struct widths measure(const struct hardware_table *table) {
    struct widths widths = {strlen("operands"), strlen("stated"), 0};
    size_t i;
    json_t *answer;
    for (size_t b = 0; b < table->backend_count; b++)
        widen(&widths.observed, table->backends[b]);
    json_array_foreach(table->answers, i, answer) {
        widen(&widths.operands, text_of(answer, "operands"));
        widen(&widths.expected, text_of(answer, "expected"));
        widen(&widths.observed, text_of(answer, "observed"));
    }
    return widths;
}

static void write_row(const struct hardware_table *table, const struct widths *widths, size_t i, FILE *out) {
    const json_t *question = json_array_get(table->answers, i);
    fprintf(out, "  %-4.4s %-*s %-*s", text_of(question, "type"), widths->operands, text_of(question, "operands"),
            widths->expected, text_of(question, "expected"));
    for (size_t b = 0; b < table->backend_count; b++) {
        const json_t *answer = hardware_answer_of(table, i, b);
        fprintf(out, " %c %-*s", !answer || flag_of(answer, "as_stated") ? ' ' : '!', widths->observed,
                answer ? text_of(answer, "observed") : "-");
    }
    fputs("  ", out);
    write_printable(text_of(question, "what"), out);
    fputc('\n', out);
}

bool report_write_hardware(const json_t *run, FILE *out, char *message) {
    struct hardware_table table;
    const char *operation = "";
    (void)message;
    hardware_table_make(&table, run);
    const struct widths widths = measure(&table);
    write_printable(text_of(run, "verdict"), out);
    fputs("\n", out);
    for (size_t i = 0; i < json_array_size(table.answers); i++) {
        const json_t *question = json_array_get(table.answers, i);
        if (!hardware_opens_row(&table, i))
            continue;
        if (strcmp(operation, text_of(question, "operation"))) {
            operation = text_of(question, "operation");
            fprintf(out, "\n%s\n  %-4s %-*s %-*s", operation, "type", widths.operands, "operands", widths.expected,
                    "stated");
            for (size_t b = 0; b < table.backend_count; b++)
                fprintf(out, "   %-*s", widths.observed, table.backends[b]);
            fputc('\n', out);
        }
        write_row(&table, &widths, i, out);
    }
    fputs("\n\"nan\" alone is any NaN; ! marks what is not as stated.\n", out);
    return true;
}
