// SPDX-License-Identifier: MIT
// The members of the result record as tables: one description of struct run_result from which its JSON is written, a
// JSON file is checked and the record is freed. A member's JSON name is its name in harness/result.h.
#ifndef REDUCTIO_RECORD_H
#define REDUCTIO_RECORD_H

#include <stdbool.h>
#include <stddef.h>

enum record_kind {
    RECORD_TEXT,     // char *; absent from the JSON when NULL, unless `required`
    RECORD_LABEL,    // char[size]
    RECORD_FIGURE,   // double, as a string that strtod reads: "1.5", "inf", "-inf", "nan"
    RECORD_BITS,     // uint64_t, as "0x3f800000"
    RECORD_COUNT,    // uint64_t or size_t, a JSON integer
    RECORD_SMALL,    // uint32_t, a JSON integer
    RECORD_INDEX,    // size_t; null for SIZE_MAX
    RECORD_FLAG,     // bool
    RECORD_SET,      // uint32_t, as an array of the numbers of its bits
    RECORD_FINDINGS, // finding_set, as an array of words
    RECORD_HEAD,     // enum finding, as its word
    RECORD_STATUS,   // enum claim_status, as its word
    RECORD_TEXTS,    // char ** and its length
    RECORD_COUNTS,   // uint64_t * and its length, JSON integers
    RECORD_PAIRS,    // struct text_pair * and its length, as one object
    RECORD_RECORDS   // struct * and its length, as an array of objects
};

struct record_type;

struct record_field {
    const char *name; // in C and in JSON
    enum record_kind kind;
    size_t offset;
    size_t length_offset;            // of the length of an array
    size_t size;                     // bytes of a RECORD_LABEL
    bool required;                   // of a RECORD_TEXT: never NULL; of a RECORD_INDEX: never SIZE_MAX
    bool optional;                   // of an array: absent from the JSON when empty
    bool aside;                      // of a RECORD_TEXT: in no JSON; it is only freed with the record
    const struct record_type *items; // of RECORD_RECORDS
    size_t indexes;                  // of a RECORD_INDEX: offset in struct run_result of the array it points into
};

struct record_type {
    size_t size;                       // of the struct
    const struct record_field *fields; // ends with name = NULL
    size_t condition;                  // offset of the bool without which `conditional` and later fields are absent
    size_t conditional;                // index of that field; SIZE_MAX for none
};

extern const struct record_type run_record;

#endif
