// SPDX-License-Identifier: MIT
#include "harness/known.h"

#include "cases/input_file.h"
#include "harness/note.h"
#include "harness/support.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS = 4, LINE_BYTES = 2048 };

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

// One comparison: key, operator, version. Returns the operator's place, or NULL.
static const char *find_operator(const char *term, const char **version) {
    const char *place = strpbrk(term, "<>=");
    if (!place || place == term)
        return NULL;
    *version = place + strspn(place, "<>=");
    size_t length = (size_t)(*version - place);
    bool fine = (length == 1 && *place != '=') || (length == 2 && place[1] == '=');
    return fine && **version ? place : NULL;
}

static bool is_condition(const char *text) {
    char copy[LINE_BYTES], *rest = NULL;
    const char *version = "";
    if (strcmp(text, "-") == 0)
        return true;
    copy_text(copy, sizeof copy, text);
    size_t terms = 0;
    for (char *term = strtok_r(copy, " ", &rest); term; term = strtok_r(NULL, " ", &rest), terms++)
        if (!find_operator(term, &version))
            return false;
    return terms > 0;
}

static char *parse_line(struct known_list *known, char *text, unsigned number) {
    char *fields[FIELDS], *rest = text;
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = i < FIELDS - 1 ? strsep(&rest, "|") : rest;
        if (!fields[i])
            return text_format("%s:%u: a line is CELL-GLOB | finding | condition | reason.", known->path, number);
        fields[i] = trim(fields[i]);
    }
    struct known_line line = {.line = number};
    if (!finding_parse(fields[1], &line.finding) || !finding_is_bad(line.finding))
        return text_format("%s:%u: \"%s\" is no bad finding.", known->path, number, fields[1]);
    if (!is_condition(fields[2]))
        return text_format("%s:%u: \"%s\" is no condition: it is \"-\" or such as cuda.cccl<3.7.", known->path, number,
                           fields[2]);
    if (!*fields[0] || !*fields[3])
        return text_format("%s:%u: the cell glob and the reason must not be empty.", known->path, number);
    line.glob = must_copy_text(fields[0]);
    line.condition = must_copy_text(fields[2]);
    line.reason = must_copy_text(fields[3]);
    known->lines = grow_array(known->lines, known->count, sizeof *known->lines);
    known->lines[known->count++] = line;
    return NULL;
}

char *known_load(struct known_list *known, const char *path, bool optional) {
    char *text = NULL, why[INPUT_FAULT];
    size_t room = 0;
    ssize_t length;
    *known = (struct known_list){.path = must_copy_text(path)};
    if (optional && access(path, F_OK) != 0 && errno == ENOENT)
        return NULL;
    FILE *file = input_file_open(path, why);
    if (!file)
        return text_format("cannot read %s: %s.", path, why);
    char *fault = NULL;
    for (unsigned number = 1; !fault && (length = getline(&text, &room, file)) >= 0; number++) {
        bool whole = strlen(text) == (size_t)length;
        char *line = trim(text);
        if (!whole)
            fault = text_format("%s:%u: the line holds a zero byte.", path, number);
        else if (length >= LINE_BYTES)
            fault = text_format("%s:%u: the line is longer than %d bytes.", path, number, LINE_BYTES - 1);
        else if (*line && *line != '#')
            fault = parse_line(known, line, number);
    }
    if (!fault && ferror(file))
        fault = text_format("cannot read %s: %s.", path, strerror(errno));
    fclose(file);
    free(text);
    return fault;
}

void known_free(struct known_list *known) {
    for (size_t i = 0; i < known->count; i++) {
        free(known->lines[i].glob);
        free(known->lines[i].condition);
        free(known->lines[i].reason);
    }
    free(known->lines);
    free(known->path);
    *known = (struct known_list){0};
}

// Number by number: 3.10 > 3.9, 3.6.0 = 3.6.
static int compare_versions(const char *a, const char *b) {
    while (*a || *b) {
        char *after_a, *after_b;
        long x = strtol(a, &after_a, 10), y = strtol(b, &after_b, 10);
        if (x != y)
            return x < y ? -1 : 1;
        a = *after_a == '.' ? after_a + 1 : "";
        b = *after_b == '.' ? after_b + 1 : "";
    }
    return 0;
}

static bool term_holds(const char *term, const struct text_pair *environment, size_t count) {
    const char *version = "", *place = find_operator(term, &version);
    for (size_t i = 0; i < count; i++) {
        if (strlen(environment[i].key) != (size_t)(place - term) ||
            strncmp(environment[i].key, term, (size_t)(place - term)) != 0)
            continue;
        int order = compare_versions(environment[i].value, version);
        bool equal_counts = place[1] == '=';
        return (equal_counts && order == 0) || (*place == '<' && order < 0) || (*place == '>' && order > 0);
    }
    return false;
}

bool known_condition_holds(const char *condition, const struct text_pair *environment, size_t count) {
    char copy[LINE_BYTES], *rest = NULL;
    if (strcmp(condition, "-") == 0)
        return true;
    copy_text(copy, sizeof copy, condition);
    for (char *term = strtok_r(copy, " ", &rest); term; term = strtok_r(NULL, " ", &rest))
        if (!term_holds(term, environment, count))
            return false;
    return true;
}

static void apply_line(const struct known_list *known, const struct known_line *line, struct run_result *result) {
    size_t matched = 0, shown = 0, unchecked = 0;
    for (size_t i = 0; i < result->cell_count; i++) {
        struct cell_result *cell = &result->cells[i];
        if (fnmatch(line->glob, cell->id, 0) != 0)
            continue;
        matched++;
        unchecked += cell->harness_fault != NULL;
        if (!cell->broken || cell->head != line->finding)
            continue;
        shown++;
        if (!cell->known) {
            cell->known = true;
            cell->known_reason = must_copy_text(line->reason);
        }
    }
    // Of a shard's cells nothing follows for those of the others (`merge` asks again), and of those that were run
    // nothing for those that were not.
    if (!matched || shown || unchecked || result->interrupted || result->shard_count > 1)
        return;
    result->stale_known_lines++;
    add_note(result, text_format("%s:%u: \"%s\" no longer happens in %zu matching cells: remove the line.", known->path,
                                 line->line, line->glob, matched));
}

void known_apply(const struct known_list *known, struct run_result *result) {
    for (size_t i = 0; i < known->count; i++)
        if (known_condition_holds(known->lines[i].condition, result->environment, result->environment_count))
            apply_line(known, &known->lines[i], result);
}
