// SPDX-License-Identifier: MIT
// The coverage map: how often a variant adds each element.
//
// One run carries a group of elements x_j = 4^j, j = 0..digits-1, and zeros elsewhere. As long as no element is added
// more than three times, every partial sum in every order is an integer below 4^digits <= 2^p, so nothing rounds, and
// digit j of the result is the multiplicity of element j.
//
// Four additions of one element look like one of its neighbour (4·4^j = 4^(j+1)), so a group that is not all ones is
// run once more with the powers the other way round (x_j = 4^(digits-1-j)): a carry then goes to the other neighbour.
// Where the two readings differ, each element of the group is run alone, as 1.
#include "harness/worker/worker.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 26, LARGEST_TOLD = 254, NOT_TOLD = 255 };

// Runs of single elements in one map: a variant that is wrong everywhere must not take for ever.
enum { MOST_SINGLE_RUNS = 4096 };

struct map {
    struct job *job;
    unsigned char *x;            // the input
    unsigned char *multiplicity; // n
    int single_runs;
};

bool decode_digits(double value, int digits, unsigned char *digit) {
    if (!(value >= 0) || value >= ldexp(1, 2 * digits) || value != floor(value))
        return false;
    uint64_t left = (uint64_t)value;
    for (int i = 0; i < digits; i++, left /= 4)
        digit[i] = (unsigned char)(left % 4);
    return true;
}

static void set_element(struct map *map, uint64_t index, double value) {
    const enum float_type in = map->job->worker->type.in;
    float_store(in, map->x, index, float_from_double(in, value));
    map->job->uploaded = false;
}

static bool run_map(struct map *map, double *value) {
    struct work_run run;
    if (!job_run(map->job, true, &run))
        return false;
    *value = float_to_double(map->job->worker->type.out, run.bits);
    return true;
}

// One run of the group first..first+count-1; element j carries 4^j, or 4^(digits-1-j) if `descending`. `told` says
// whether the result is a sum of its elements' multiples; digit receives them, by element.
static bool read_group(struct map *map, uint64_t first, int count, bool descending, double *value, bool *told,
                       unsigned char *digit) {
    int digits = map->job->worker->type.digits;
    for (int j = 0; j < count; j++)
        set_element(map, first + (uint64_t)j, ldexp(1, 2 * (descending ? digits - 1 - j : j)));
    if (!run_map(map, value))
        return false;
    for (int j = 0; j < count; j++)
        set_element(map, first + (uint64_t)j, 0);
    unsigned char place[MOST_DIGITS];
    *told = decode_digits(*value, digits, place);
    for (int j = 0; *told && j < digits; j++) {
        unsigned char found = place[descending ? digits - 1 - j : j];
        if (j < count)
            digit[j] = found;
        else if (found) // more than the group's elements can give
            *told = false;
    }
    return true;
}

static bool read_singly(struct map *map, uint64_t first, int count) {
    for (uint64_t i = first; i < first + (uint64_t)count; i++) {
        map->multiplicity[i] = NOT_TOLD;
        if (map->single_runs == MOST_SINGLE_RUNS)
            continue;
        map->single_runs++;
        double value;
        set_element(map, i, 1);
        if (!run_map(map, &value))
            return false;
        set_element(map, i, 0);
        if (value >= 0 && value <= LARGEST_TOLD && value == floor(value))
            map->multiplicity[i] = (unsigned char)value;
    }
    return true;
}

static bool map_group(struct map *map, uint64_t first, int count) {
    static const unsigned char ones[MOST_DIGITS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    unsigned char up[MOST_DIGITS], down[MOST_DIGITS];
    bool told_up, told_down;
    double value;
    if (!read_group(map, first, count, false, &value, &told_up, up))
        return false;
    if (!told_up && !(value >= 0 && value == floor(value))) { // NaN, negative, a fraction: no sum of the elements
        memset(map->multiplicity + first, NOT_TOLD, (size_t)count);
        return true;
    }
    bool agreed = told_up && memcmp(up, ones, (size_t)count) == 0;
    if (told_up && !agreed) {
        if (!read_group(map, first, count, true, &value, &told_down, down))
            return false;
        agreed = told_down && memcmp(up, down, (size_t)count) == 0;
    }
    if (!agreed)
        return read_singly(map, first, count);
    memcpy(map->multiplicity + first, up, (size_t)count);
    return true;
}

void answer_coverage(struct job *job) {
    if (!job_prepare(job))
        return;
    uint64_t n = job->request->n, digits = (uint64_t)job->worker->type.digits;
    struct map map = {.job = job, .x = calloc(job->input_bytes + 1, 1), .multiplicity = malloc(n + 1)};
    job->input = map.x;
    job->payload = map.multiplicity;
    bool done = map.x && map.multiplicity;
    if (!done)
        job_fail(job, WORK_NOT_POSSIBLE, "There is no memory for a coverage map of %" PRIu64 " elements.", n);
    for (uint64_t first = 0; done && first < n; first += digits)
        done = map_group(&map, first, (int)(n - first < digits ? n - first : digits));
    if (done)
        job->reply->payload = n;
    free(map.x);
    job->input = NULL;
}
