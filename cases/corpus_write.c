// SPDX-License-Identifier: MIT
#include "cases/corpus_write.h"

#include "cases/corpus.h"
#include "cases/corpus_file.h"

#include <inttypes.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

// Bits from the largest f64 number down to the smallest subnormal, 2098, and room for the carries of 2^64 terms.
enum { SUM_BITS = 2098 + 64 };

// The sum is stated by neither of the oracles, which it is there to test: every addition is exact, or this fails.
static bool write_sum(const struct corpus_entry *entry, FILE *out) {
    mpfr_t sum;
    mpfr_init2(sum, SUM_BITS);
    mpfr_set_zero(sum, -1);
    bool exact = true;
    for (uint64_t i = 0; i < entry->n; i++)
        exact &=
            mpfr_add_d(sum, sum, float_to_double(entry->type, float_load(entry->type, entry->x, i)), MPFR_RNDN) == 0;
    if (!entry->n)
        mpfr_set_zero(sum, 1);
    bool written = mpfr_number_p(sum) ? mpfr_fprintf(out, "sum: %Ra\n", sum) > 0
                                      : fprintf(out, "sum: %s\n",
                                                mpfr_nan_p(sum)     ? "nan"
                                                : mpfr_sgn(sum) > 0 ? "inf"
                                                                    : "-inf") > 0;
    mpfr_clear(sum);
    return exact && written;
}

static bool write_values(const struct corpus_entry *entry, FILE *out) {
    enum { WORTH_FOLDING = 3 };
    bool good = true;
    for (uint64_t first = 0, end; good && first < entry->n; first = end) {
        uint64_t bits = float_load(entry->type, entry->x, first);
        char text[FLOAT_TEXT];
        for (end = first + 1; end < entry->n && float_load(entry->type, entry->x, end) == bits;)
            end++;
        float_to_hex(entry->type, bits, text);
        if (end - first >= WORTH_FOLDING)
            good = fprintf(out, "repeat %" PRIu64 " %s\n", end - first, text) > 0;
        for (uint64_t i = first; i < end && end - first < WORTH_FOLDING && good; i++)
            good = fprintf(out, "%s\n", text) > 0;
    }
    return good;
}

bool corpus_write(const struct corpus_entry *entry, FILE *out) {
    return fprintf(out, "# source: %s\n# shows: %s\ntype: %s\ncount: %" PRIu64 "\n", entry->source, entry->shows,
                   float_format(entry->type)->name, entry->n) > 0 &&
           write_sum(entry, out) && write_values(entry, out);
}

static bool fail(char *message, const char *what) {
    snprintf(message, CORPUS_MESSAGE, "%s.", what);
    return false;
}

bool corpus_holds(const struct corpus_entry *entry, const char *directory, const char *file_name, char *message) {
    const size_t bytes = entry->n * float_format(entry->type)->size;
    struct corpus_file *file = corpus_file_read(directory, file_name, message);
    void *x = malloc(bytes + 1);
    bool good = file && (x || fail(message, "there is no memory to read it back"));
    if (good) {
        struct case_values values = corpus_file_values(file);
        good = (file->n == entry->n && values.fill(&values, entry->type, x, entry->n, 0) &&
                (bytes == 0 || memcmp(x, entry->x, bytes) == 0)) ||
               fail(message, "a corpus file cannot hold these numbers: some NaN of them has a payload or a sign");
    }
    free(x);
    corpus_file_free(file);
    return good;
}
