// SPDX-License-Identifier: MIT
// What the runner and its workers say to each other: fixed-size structs over a socket pair, in the byte order of the
// one machine that both run on. A worker serves one variant of one type at a time; it is started as
//     WORKER --serve VARIANT TYPE --socket FD --data FD --device K [--load WHAT]
// and says hello with one reply of sequence 0 (WORK_DONE; WORK_REFUSED or WORK_NOT_POSSIBLE with the reason why it
// cannot serve), then answers each request with one reply of the request's sequence and its payload. It ends when the
// socket closes, and by itself after an outcome that leaves its memory or device in doubt. `WORKER --cards` writes one
// variant_card each to standard output and ends; `WORKER --environment [--device K]` writes "key value" lines, or ends
// with WORKER_NO_DEVICE and one sentence on standard error. `WORKER --describe [--device K]` writes the number of its
// cards (uint64_t), the cards, and those lines.
#ifndef REDUCTIO_PROTOCOL_H
#define REDUCTIO_PROTOCOL_H

#include "harness/backend.h"

enum { PROTOCOL_VERSION = 7, CARD_TEXT = 512, CARD_NAME = 64 };

// Exit codes of a worker besides 0.
enum {
    WORKER_USAGE = 2,
    WORKER_NO_DEVICE = 77,
    WORKER_NO_PROGRAM = 97, // the command that it was to start names nothing that can be executed; one sentence too
    WORKER_LOST = 98,       // what it was to start cannot be, or was ended from outside; one sentence on standard error
    WORKER_FAILED = 99
};

enum work_kind {
    WORK_SUM = 1,      // payload of the reply: `runs` struct work_run
    WORK_COVERAGE = 2, // payload: n bytes, each element's multiplicity 0..254, or 255 where it cannot be told
    // Payload as of WORK_SUM. Each run is a sample: several calls in a row, as many as fill a span that the clock
    // resolves, on copies of the input that no cache holds; ns is the mean of a call, bits are the last call's.
    WORK_TIME = 3,
    // New data come with it, a descriptor as ancillary data, and a struct work_row follows: what is served from now on.
    // The reply is a hello. For a worker that served one queue and is to serve another.
    WORK_DATA = 4
};

struct work_row {
    char variant[CARD_NAME], type[CARD_NAME];
};

struct work_request {
    uint32_t version;
    uint32_t kind;
    uint64_t data_offset; // bytes into the data descriptor; unused by WORK_COVERAGE
    uint64_t n;           // elements
    struct reductio_shape shape;
    uint32_t offset; // of the input's base address, in elements
    uint32_t runs;
    uint32_t warmups;
    uint32_t sequence; // set by the pool, 1, 2, ...; a reply carries that of its request
    struct schedule schedule;
};

struct work_run {
    uint64_t bits; // the result, zero-extended
    uint64_t ns;
};

struct work_reply {
    uint32_t version;
    uint32_t outcome;          // enum work_outcome
    uint32_t runs;             // struct work_run that follow, 0 after a failure
    uint32_t input_changed;    // the variant wrote to its input
    uint32_t output_untouched; // some run left the poison in its output
    uint32_t sequence;         // of the request, 0 in the hello
    uint64_t payload;          // bytes that follow
    uint64_t height;           // the variant's own figures for this n and shape; 0 where it has none
    uint64_t serial_terms;     //
    uint64_t atomics;          //
    uint64_t workspace_bytes;
    uint64_t read_ns; // WORK_TIME: median time of a kernel that only reads the same bytes; 0 where there is none
    char message[BACKEND_MESSAGE]; // of WORK_DONE: where the poison in a result that is NaN came from, if known
};

// After these the worker's memory or device cannot be trusted: it ends once it has answered.
static inline bool work_outcome_ends_worker(uint32_t outcome) {
    return outcome == WORK_LOST || outcome == WORK_OUT_OF_BOUNDS || outcome == WORK_CRASHED || outcome == WORK_HUNG;
}

// After other outcomes than these a worker serves its row to the end, and no other row after it. A race leaves the
// emulator whole, and so does what was not run.
static inline bool work_outcome_leaves_no_doubt(uint32_t outcome) {
    return outcome == WORK_DONE || outcome == WORK_NOT_CHECKED || outcome == WORK_RACED;
}

// A descriptor as data, for the runner that does not link the kernels.
struct variant_card {
    uint32_t version;
    uint32_t accuracy; // enum reductio_accuracy
    uint32_t same_bits;
    uint32_t keeps_subnormals, may_overflow_early, specials, empty; // enum reductio_answer
    uint32_t all_minus_zero;                                        // enum reductio_zero
    uint32_t has_height, has_serial_terms, has_atomics;
    uint32_t fixed_placement;
    uint32_t is_probe;
    uint32_t shape_count;
    struct reductio_shape shapes[REDUCTIO_MAX_SHAPES];
    uint64_t max_n;
    char name[CARD_NAME], type[CARD_NAME], backend[CARD_NAME];
    char fault_finding[CARD_NAME], fault_detector[CARD_NAME]; // empty for real variants
    char summary[CARD_TEXT], origin[CARD_TEXT];
    char absent[CARD_TEXT]; // empty: it can run
};

#endif
