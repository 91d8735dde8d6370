// SPDX-License-Identifier: MIT
// A checked run, indexed for the writers: cells by variant, worst first, and the worst cell of each variant in each
// family of values.
#ifndef REDUCTIO_VIEW_H
#define REDUCTIO_VIEW_H

#include "harness/fault_outcome.h"
#include "reports/text.h"

#include <stddef.h>

// A sum of so few terms meets its bound whatever the method (two terms: always), and would hide all others: it speaks
// for its variant, or in its square of the map, only where there is no larger one.
enum { VIEW_FEW_TERMS = 31 };

struct cell_view {
    const json_t *json;
    const json_t *dataset; // NULL for the coverage map
    size_t index;          // in the JSON's cells
    size_t variant, family;
    enum finding head;
    finding_set findings;
    double error_over_bound, ulps; // NaN without a result
    bool known;
    bool failed; // its head is bad and not known
};

struct variant_view {
    const json_t *json;
    size_t index;  // in the JSON's variants
    size_t *cells; // indexes of cell views, worst first
    size_t cell_count;
    size_t failures, known, varied; // cells; varied counts "varied" and "varies as claimed"
    size_t claims_by_status[CLAIM_NOT_TESTED + 1];
    bool planted;               // a fault that the suite must catch
    enum fault_outcome outcome; // of a planted fault, in this type
    size_t nearest; // index of the cell view that comes nearest to its bound, SIZE_MAX for none; see VIEW_FEW_TERMS
};

struct run_view {
    const json_t *json;
    struct cell_view *cells; // in the JSON's order
    size_t cell_count;
    struct variant_view *variants; // in the JSON's order
    size_t variant_count;
    struct fault_row *faults; // one a variant; without a finding where none is planted
    size_t *order;            // of variants: failed first, then the nearest to its bound
    const char **families;    // names of values, and "coverage map" if there is one, in the order of their first cells
    size_t family_count;
    size_t *family_order; // those with a failure, a known one, an error somewhere, then those that are exact everywhere
    size_t *worst;        // [variant * family_count + family]: index of the cell view that speaks, SIZE_MAX for none
    finding_set *seen;    // the same shape: every finding in that family
    size_t *slots;        // all of variants' cells
};

// False when memory is out; free with run_view_free in either case.
bool run_view_make(struct run_view *view, const json_t *run);
void run_view_free(struct run_view *view);

bool finding_in(finding_set set, enum finding finding);
// Which of two cells to show first: < 0 if a is the worse one.
int compare_badness(const struct cell_view *a, const struct cell_view *b);
// The correctly rounded sum of a row that claims to give it: the best there is, whatever its err/bound.
bool is_correctly_rounded_by_claim(const struct cell_view *cell);
// err/bound of the cell that comes nearest; NaN if there is none.
double nearest_ratio(const struct run_view *view, const struct variant_view *variant);
// Of a claims table: the claim's status in its word's order.
enum claim_status claim_status_of(const json_t *claim);
// What the claims of a variant come to: broken, known, held, or not tested where none of them was.
enum claim_status variant_status(const struct variant_view *variant);
// "should be found as wrong class by poison"
void write_fault_demand(const struct variant_view *variant, text_writer *write, FILE *out);
// Whether a cell breaks the claim of that number.
bool cell_breaks(const json_t *cell, size_t claim);
// "name@backend type"
void write_variant_label(const json_t *variant, FILE *out);

#endif
