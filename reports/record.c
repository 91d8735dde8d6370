// SPDX-License-Identifier: MIT
#include "reports/record.h"

#include "harness/result.h"

#include <stdint.h>

#define PLAIN(type, record, member)                                                                                    \
    { .name = #member, .kind = record, .offset = offsetof(struct type, member) }
#define NAME(type, member)                                                                                             \
    { .name = #member, .kind = RECORD_TEXT, .offset = offsetof(struct type, member), .required = true }
#define ASIDE(type, member)                                                                                            \
    { .name = #member, .kind = RECORD_TEXT, .offset = offsetof(struct type, member), .aside = true }
#define LABEL(type, member)                                                                                            \
    {                                                                                                                  \
        .name = #member, .kind = RECORD_LABEL, .offset = offsetof(struct type, member),                                \
        .size = sizeof(((struct type *)0)->member)                                                                     \
    }
#define ARRAY(type, record, member, length, item)                                                                      \
    {                                                                                                                  \
        .name = #member, .kind = record, .offset = offsetof(struct type, member),                                      \
        .length_offset = offsetof(struct type, length), .items = item                                                  \
    }
#define OPTIONAL_ARRAY(type, record, member, length, item)                                                             \
    {                                                                                                                  \
        .name = #member, .kind = record, .offset = offsetof(struct type, member),                                      \
        .length_offset = offsetof(struct type, length), .optional = true, .items = item                                \
    }
#define OPTIONAL_RECORDS(type, member, length, item)                                                                   \
    {                                                                                                                  \
        .name = #member, .kind = RECORD_RECORDS, .offset = offsetof(struct type, member),                              \
        .length_offset = offsetof(struct type, length), .items = item, .optional = true                                \
    }
#define INDEX(type, member, array, null)                                                                               \
    {                                                                                                                  \
        .name = #member, .kind = RECORD_INDEX, .required = !(null), .offset = offsetof(struct type, member),           \
        .indexes = offsetof(struct run_result, array)                                                                  \
    }
#define END                                                                                                            \
    { .name = NULL }

static const struct record_field pattern_fields[] = {
    PLAIN(bit_pattern, RECORD_BITS, bits), PLAIN(bit_pattern, RECORD_COUNT, count),
    PLAIN(bit_pattern, RECORD_FIGURE, ulps), LABEL(bit_pattern, first_at), END};
static const struct record_type pattern_record = {sizeof(struct bit_pattern), pattern_fields, 0, SIZE_MAX};

static const struct record_field dataset_fields[] = {NAME(dataset_result, name),
                                                     NAME(dataset_result, type),
                                                     NAME(dataset_result, values),
                                                     NAME(dataset_result, order),
                                                     PLAIN(dataset_result, RECORD_COUNT, n),
                                                     PLAIN(dataset_result, RECORD_BITS, seed),
                                                     PLAIN(dataset_result, RECORD_TEXT, what_for),
                                                     PLAIN(dataset_result, RECORD_TEXT, exact_decimal),
                                                     PLAIN(dataset_result, RECORD_TEXT, exact_hex),
                                                     PLAIN(dataset_result, RECORD_FIGURE, condition),
                                                     PLAIN(dataset_result, RECORD_TEXT, abs_sum_decimal),
                                                     PLAIN(dataset_result, RECORD_FLAG, never_rounds),
                                                     END};
static const struct record_type dataset_record = {sizeof(struct dataset_result), dataset_fields, 0, SIZE_MAX};

enum { CELL_FIELDS_ALWAYS = 24 }; // those before bits, the first that needs a result
static const struct record_field cell_fields[] = {
    NAME(cell_result, id),
    INDEX(cell_result, variant, variants, false),
    INDEX(cell_result, dataset, datasets, true),
    PLAIN(cell_result, RECORD_COUNT, n),
    NAME(cell_result, shape),
    NAME(cell_result, schedule),
    PLAIN(cell_result, RECORD_SMALL, offset),
    PLAIN(cell_result, RECORD_HEAD, head),
    PLAIN(cell_result, RECORD_FINDINGS, findings),
    PLAIN(cell_result, RECORD_SET, tested),
    PLAIN(cell_result, RECORD_SET, broken),
    PLAIN(cell_result, RECORD_TEXT, compared_with),
    PLAIN(cell_result, RECORD_TEXT, attack),
    PLAIN(cell_result, RECORD_FLAG, differs),
    PLAIN(cell_result, RECORD_FLAG, known),
    PLAIN(cell_result, RECORD_TEXT, known_reason),
    PLAIN(cell_result, RECORD_TEXT, detail),
    PLAIN(cell_result, RECORD_TEXT, harness_fault),
    PLAIN(cell_result, RECORD_TEXT, detector),
    OPTIONAL_ARRAY(cell_result, RECORD_TEXTS, detectors, detector_count, NULL),
    PLAIN(cell_result, RECORD_COUNT, runs),
    PLAIN(cell_result, RECORD_COUNT, height),
    PLAIN(cell_result, RECORD_COUNT, workspace_bytes),
    PLAIN(cell_result, RECORD_FLAG, has_result),
    PLAIN(cell_result, RECORD_BITS, bits),
    PLAIN(cell_result, RECORD_TEXT, got_hex),
    PLAIN(cell_result, RECORD_TEXT, got_decimal),
    PLAIN(cell_result, RECORD_BITS, rounded_bits),
    PLAIN(cell_result, RECORD_TEXT, rounded_hex),
    PLAIN(cell_result, RECORD_TEXT, rounded_decimal),
    PLAIN(cell_result, RECORD_FIGURE, ulps),
    PLAIN(cell_result, RECORD_FIGURE, relative_error),
    PLAIN(cell_result, RECORD_FIGURE, error_over_uA),
    PLAIN(cell_result, RECORD_FIGURE, error_over_bound),
    PLAIN(cell_result, RECORD_FIGURE, bound_over_sum),
    PLAIN(cell_result, RECORD_TEXT, bound),
    PLAIN(cell_result, RECORD_TEXT, bound_decimal),
    PLAIN(cell_result, RECORD_COUNT, atomics),
    PLAIN(cell_result, RECORD_COUNT, serial_terms),
    ARRAY(cell_result, RECORD_RECORDS, patterns, pattern_count, &pattern_record),
    PLAIN(cell_result, RECORD_FIGURE, min_ulps),
    PLAIN(cell_result, RECORD_FIGURE, max_ulps),
    PLAIN(cell_result, RECORD_FIGURE, vs),
    ARRAY(cell_result, RECORD_COUNTS, ns, ns_count, NULL),
    PLAIN(cell_result, RECORD_FIGURE, gigabytes_per_second),
    PLAIN(cell_result, RECORD_FIGURE, bandwidth_share),
    END};
static const struct record_type cell_record = {sizeof(struct cell_result), cell_fields,
                                               offsetof(struct cell_result, has_result), CELL_FIELDS_ALWAYS};

static const struct record_field claim_fields[] = {NAME(claim_result, claim),
                                                   PLAIN(claim_result, RECORD_TEXT, value),
                                                   PLAIN(claim_result, RECORD_STATUS, status),
                                                   PLAIN(claim_result, RECORD_TEXT, why),
                                                   PLAIN(claim_result, RECORD_TEXT, observed),
                                                   PLAIN(claim_result, RECORD_COUNT, cells),
                                                   PLAIN(claim_result, RECORD_COUNT, broken),
                                                   PLAIN(claim_result, RECORD_COUNT, differing),
                                                   PLAIN(claim_result, RECORD_TEXT, worst_cell),
                                                   END};
static const struct record_type claim_record = {sizeof(struct claim_result), claim_fields, 0, SIZE_MAX};

static const struct record_field order_fields[] = {PLAIN(order_result, RECORD_COUNT, n),
                                                   NAME(order_result, shape),
                                                   NAME(order_result, kind),
                                                   PLAIN(order_result, RECORD_COUNT, height),
                                                   PLAIN(order_result, RECORD_BITS, hash),
                                                   PLAIN(order_result, RECORD_TEXT, formula),
                                                   PLAIN(order_result, RECORD_TEXT, why),
                                                   END};
static const struct record_type order_record = {sizeof(struct order_result), order_fields, 0, SIZE_MAX};

static const struct record_field variant_fields[] = {
    NAME(variant_result, name),
    NAME(variant_result, backend),
    NAME(variant_result, type),
    PLAIN(variant_result, RECORD_TEXT, summary),
    PLAIN(variant_result, RECORD_TEXT, origin),
    PLAIN(variant_result, RECORD_TEXT, variables),
    PLAIN(variant_result, RECORD_TEXT, arguments),
    ASIDE(variant_result, given.variables),
    ASIDE(variant_result, given.arguments),
    PLAIN(variant_result, RECORD_TEXT, fault_finding),
    PLAIN(variant_result, RECORD_TEXT, fault_detector),
    ARRAY(variant_result, RECORD_RECORDS, claims, claim_count, &claim_record),
    PLAIN(variant_result, RECORD_FIGURE, worst_error_over_bound),
    PLAIN(variant_result, RECORD_TEXT, worst_cell),
    PLAIN(variant_result, RECORD_COUNT, cell_count),
    PLAIN(variant_result, RECORD_COUNT, bad_cells),
    PLAIN(variant_result, RECORD_COUNT, known_cells),
    PLAIN(variant_result, RECORD_COUNT, says_nothing_cells),
    PLAIN(variant_result, RECORD_TEXT, unchecked),
    PLAIN(variant_result, RECORD_TEXT, hazards),
    PLAIN(variant_result, RECORD_FLAG, bound_too_weak),
    OPTIONAL_ARRAY(variant_result, RECORD_RECORDS, orders, order_count, &order_record),
    END};
static const struct record_type variant_record = {sizeof(struct variant_result), variant_fields, 0, SIZE_MAX};

static const struct record_field hardware_fields[] = {NAME(hardware_result, operation),
                                                      NAME(hardware_result, what),
                                                      NAME(hardware_result, backend),
                                                      NAME(hardware_result, type),
                                                      NAME(hardware_result, operands),
                                                      NAME(hardware_result, expected),
                                                      NAME(hardware_result, observed),
                                                      NAME(hardware_result, source),
                                                      PLAIN(hardware_result, RECORD_TEXT, detail),
                                                      PLAIN(hardware_result, RECORD_FLAG, as_stated),
                                                      END};
static const struct record_type hardware_record = {sizeof(struct hardware_result), hardware_fields, 0, SIZE_MAX};

static const struct record_field run_fields[] = {
    NAME(run_result, verdict),
    PLAIN(run_result, RECORD_TEXT, refusal),
    NAME(run_result, command),
    ARRAY(run_result, RECORD_TEXTS, argv, argc, NULL),
    PLAIN(run_result, RECORD_TEXT, tier),
    PLAIN(run_result, RECORD_BITS, seed),
    PLAIN(run_result, RECORD_SMALL, shard_index),
    PLAIN(run_result, RECORD_SMALL, shard_count),
    PLAIN(run_result, RECORD_TEXT, started),
    PLAIN(run_result, RECORD_FIGURE, seconds),
    PLAIN(run_result, RECORD_FLAG, interrupted),
    ARRAY(run_result, RECORD_PAIRS, environment, environment_count, NULL),
    ARRAY(run_result, RECORD_TEXTS, backends, backend_count, NULL),
    OPTIONAL_RECORDS(run_result, hardware, hardware_count, &hardware_record),
    ARRAY(run_result, RECORD_TEXTS, notes, note_count, NULL),
    ARRAY(run_result, RECORD_RECORDS, variants, variant_count, &variant_record),
    ARRAY(run_result, RECORD_RECORDS, datasets, dataset_count, &dataset_record),
    ARRAY(run_result, RECORD_RECORDS, cells, cell_count, &cell_record),
    END};
const struct record_type run_record = {sizeof(struct run_result), run_fields, 0, SIZE_MAX};
