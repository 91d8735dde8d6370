// SPDX-License-Identifier: MIT
// The catalogue against its pinned claims: no one weakens a claim, or loses a variant, without changing
// kernels/claims.txt as well. Run as: test_catalogue WORKER_DIRECTORY KERNELS_DIRECTORY.
//
// A line of claims.txt: NAME TYPE; claim value; claim value; ... in the order of enum claim, the same on each backend.
#include "harness/catalog.h"
#include "harness/claim.h"
#include "harness/support.h"

#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

static struct catalog catalog;
static const char *kernels;

static void print_claims(const struct variant_card *card, char *line) {
    int used = snprintf(line, LINE_BYTES, "%s %s", card->name, card->type);
    for (enum claim claim = CLAIM_ACCURACY; claim < CLAIM_COUNT; claim++)
        if (claim_is_made(claim, card))
            used += snprintf(line + used, LINE_BYTES - (size_t)used, "; %s %s", claim_name(claim),
                             claim_value(claim, card));
}

static size_t read_pinned(char (**lines)[LINE_BYTES]) {
    char path[1024], line[LINE_BYTES];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/claims.txt", kernels);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    *lines = NULL;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!*line || *line == '#')
            continue;
        *lines = grow_array(*lines, count, sizeof **lines);
        strcpy((*lines)[count++], line);
    }
    fclose(file);
    return count;
}

static bool is_pinned(char (*lines)[LINE_BYTES], size_t count, const char *line) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(lines[i], line) == 0)
            return true;
    return false;
}

START_TEST(test_every_claim_is_pinned) {
    char(*lines)[LINE_BYTES], line[LINE_BYTES];
    size_t count = read_pinned(&lines);
    for (size_t i = 0; i < catalog.variant_count; i++) {
        if (catalog.variants[i].faulty)
            continue;
        print_claims(&catalog.variants[i].card, line);
        ck_assert_msg(is_pinned(lines, count, line), "kernels/claims.txt does not hold this line:\n%s", line);
    }
    free(lines);
}
END_TEST

START_TEST(test_every_pinned_claim_is_made) {
    char(*lines)[LINE_BYTES], line[LINE_BYTES];
    size_t count = read_pinned(&lines);
    bool has_cuda = false;
    for (size_t i = 0; i < catalog.variant_count; i++)
        has_cuda |= strcmp(catalog.variants[i].card.backend, "cuda") == 0;
    for (size_t p = 0; p < count; p++) {
        bool found = false;
        for (size_t i = 0; i < catalog.variant_count && !found; i++) {
            print_claims(&catalog.variants[i].card, line);
            found = !catalog.variants[i].faulty && strcmp(line, lines[p]) == 0;
        }
        bool vendor = strncmp(lines[p], "cub_", 4) == 0 || strncmp(lines[p], "thrust_", 7) == 0;
        ck_assert_msg(found || (vendor && !has_cuda), "no variant makes the claims of this line:\n%s", lines[p]);
    }
    free(lines);
}
END_TEST

static bool has_card(const char *name, size_t length) {
    for (size_t i = 0; i < catalog.variant_count; i++)
        if (strlen(catalog.variants[i].card.name) == length &&
            strncmp(catalog.variants[i].card.name, name, length) == 0)
            return true;
    return false;
}

START_TEST(test_no_file_is_an_orphan) {
    static const char *const patterns[] = {"*.cu", "*.c", "faulty/*.cu"};
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s", kernels, patterns[p]);
        ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *name = strrchr(found.gl_pathv[i], '/') + 1;
            ck_assert_msg(has_card(name, strcspn(name, ".")), "%s is in no worker", found.gl_pathv[i]);
        }
        globfree(&found);
    }
}
END_TEST

// A row that judges itself by a height or a serial length must be able to tell it.
START_TEST(test_bounds_have_what_they_need) {
    for (size_t i = 0; i < catalog.variant_count; i++) {
        const struct variant_card *card = &catalog.variants[i].card;
        bool needs_height = card->accuracy == REDUCTIO_HEIGHT || card->accuracy == REDUCTIO_COMPENSATED ||
                            card->accuracy == REDUCTIO_KAHAN_MERGED || card->accuracy == REDUCTIO_DOUBLE_WORD ||
                            card->accuracy == REDUCTIO_WIDE;
        bool needs_terms = card->accuracy == REDUCTIO_KAHAN || card->accuracy == REDUCTIO_KAHAN_MERGED;
        ck_assert_msg(!needs_height || card->has_height, "%s has no height", card->name);
        ck_assert_msg(!needs_terms || card->has_serial_terms, "%s has no serial_terms", card->name);
        ck_assert_msg(*card->summary, "%s has no summary", card->name);
    }
}
END_TEST

static bool file_has_line(const char *path, const char *start, const char *end) {
    char line[LINE_BYTES];
    bool found = false;
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read", path);
    while (!found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        size_t length = strlen(line), tail = strlen(end);
        found = strncmp(line, start, strlen(start)) == 0 && length >= tail && strcmp(line + length - tail, end) == 0;
    }
    fclose(file);
    return found;
}

// The table of planted faults says of each what its descriptor says.
START_TEST(test_every_fault_is_told) {
    char path[1024], start[LINE_BYTES], end[LINE_BYTES];
    snprintf(path, sizeof path, "%s/faulty/README.md", kernels);
    for (size_t i = 0; i < catalog.variant_count; i++) {
        const struct variant_card *card = &catalog.variants[i].card;
        if (!catalog.variants[i].faulty)
            continue;
        snprintf(start, sizeof start, "| `%s` | ", card->name);
        snprintf(end, sizeof end, " | %s | %s |", card->fault_finding, card->fault_detector);
        ck_assert_msg(file_has_line(path, start, end), "%s has no line \"%s...%s\"", path, start, end);
    }
}
END_TEST

int main(int argc, char **argv) {
    if (argc != 3 || setenv("REDUCTIO_WORKERS", argv[1], 1) != 0) {
        fprintf(stderr, "usage: test_catalogue WORKER_DIRECTORY KERNELS_DIRECTORY\n");
        return EXIT_FAILURE;
    }
    kernels = argv[2];
    catalog_load(&catalog, 0);
    Suite *suite = suite_create("catalogue");
    TCase *tests = tcase_create("claims");
    tcase_add_test(tests, test_every_claim_is_pinned);
    tcase_add_test(tests, test_every_pinned_claim_is_made);
    tcase_add_test(tests, test_no_file_is_an_orphan);
    tcase_add_test(tests, test_bounds_have_what_they_need);
    tcase_add_test(tests, test_every_fault_is_told);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    catalog_free(&catalog);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
