// SPDX-License-Identifier: MIT
// The worker's own parts. A worker executable is these, one backend and one register of variants.
#ifndef REDUCTIO_WORKER_H
#define REDUCTIO_WORKER_H

#include "harness/protocol.h"
#include "reference/float_type.h"

// What the harness must know of a variant's type.
struct worker_type {
    enum float_type in, out;
    size_t in_size, out_size; // bytes of an element, of the result
    int digits;               // base-4 digits that input, accumulator and result all hold exactly: p/2 of the narrower
                              // format, 12 of f32, 26 of f64, 5 of f16, 4 of bf16
    uint64_t poison;          // what the salt of its poison has in it
};
bool worker_type_parse(const char *name, struct worker_type *type);

struct worker {
    struct worker_errand errand;
    struct work_row row; // what the errand names
    const struct reductio_variant *variant;
    struct worker_type type;
    int socket;
    const unsigned char *data; // the runner's sealed memory file
    size_t data_bytes;
    uint64_t salt;                 // of the last poison
    enum work_outcome unable;      // WORK_REFUSED: the row is not there; WORK_NOT_POSSIBLE: the machine lacks something
    char refusal[BACKEND_MESSAGE]; // why it cannot serve; empty if it can
};

// A request at work, and what will be answered.
struct job {
    struct worker *worker;
    const struct work_request *request;
    struct work_reply *reply; // its figures are set when the job is prepared
    size_t input_bytes;
    const void *input; // what the variant is given; belongs to whoever answers the request
    bool uploaded;     // the placed input holds `input`
    uint64_t copies;   // of the input to make room for, `stride` bytes apart; 0: one
    size_t stride;
    void *payload; // what follows the reply, or NULL
};

// --cards, --environment and --describe; return an exit code.
int print_cards(const struct worker_errand *errand);
int print_environment(const struct worker_errand *errand);
int print_description(const struct worker_errand *errand);

// Finds the row that the worker is to serve from now on. Leaves a refusal where there is none.
void worker_take_row(struct worker *worker, const struct work_row *row);
// Maps the runner's data in place of what was mapped before; -1: none. Leaves a refusal where that fails.
void worker_take_data(struct worker *worker, int fd);
// Serves requests until the socket closes; returns an exit code.
int worker_serve(struct worker *worker);

// Fills in the variant's own figures, refuses those that no sum of n terms has, and looks whether n fits; then places
// input, output and workspace. False with the reply filled in. job_prepare does both.
bool job_measure(struct job *job);
bool job_place(struct job *job);
bool job_prepare(struct job *job);
// Finds job->input in the runner's data. False with the reply filled in.
bool job_find_data(struct job *job);
// One run on job->input: everything else is poisoned anew, slack is checked afterwards and, if asked, the input. False
// with the reply filled in.
bool job_run(struct job *job, bool check_input, struct work_run *run);
// The parts of it that every launch needs around it: poison for output and workspace before, and afterwards, unless the
// launch failed, a look at the slack and the output, and the result's bits. False with the reply filled in.
void job_poison_outputs(struct job *job);
bool job_take_result(struct job *job, enum work_outcome launched, char *message, struct work_run *run);
// Puts a failure in the reply; returns false.
bool job_fail(struct job *job, enum work_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void job_free(struct job *job);

// Fill in reply and payload of a request.
void answer_sum(struct job *job);
void answer_coverage(struct job *job);
void answer_time(struct job *job);

// Digits base 4 of a result: true if it is an integer in 0..4^digits - 1, so that the digits are all of it.
bool decode_digits(double value, int digits, unsigned char *digit);

// Turns fatal signals during a job into its answer. `reply` is the one that would be sent, NULL between jobs.
bool fault_watch_start(int socket, char *message);
void fault_watch(struct work_reply *reply);

#endif
