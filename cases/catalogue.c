// SPDX-License-Identifier: MIT
// The families and the corpus as one list, and the datasets made from them.
#include "cases/cases.h"

#include "cases/corpus.h"
#include "cases/families.h"
#include "cases/orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The one piece of state: what cases_load has read, and its last complaint.
static struct corpus loaded;
static char complaint[CORPUS_MESSAGE];

const char *cases_load(const char *directory) {
    corpus_free(&loaded);
    return corpus_load(&loaded, directory ? directory : REDUCTIO_CORPUS_DIRECTORY, complaint) ? NULL : complaint;
}

size_t case_values_count(void) {
    return family_count + loaded.count;
}

const struct case_values *case_values_at(size_t index) {
    return index < family_count ? &families[index] : &loaded.values[index - family_count];
}

const struct case_values *case_values_find(const char *name) {
    for (size_t i = 0; i < case_values_count(); i++)
        if (strcmp(case_values_at(i)->name, name) == 0)
            return case_values_at(i);
    return NULL;
}

void dataset_name(const struct dataset_key *key, char *text) {
    snprintf(text, DATASET_TEXT, "%s/%s/%" PRIu64 "/%s", float_format(key->type)->name, key->values->name, key->n,
             key->order);
}

// splitmix64 between the two, so that base seeds that differ in one bit give unrelated data.
uint64_t dataset_seed(const struct dataset_key *key, uint64_t base_seed) {
    char text[DATASET_TEXT];
    dataset_name(key, text);
    uint64_t state = fnv1a64(text) ^ splitmix64(&base_seed);
    return splitmix64(&state);
}

bool dataset_fill(const struct dataset_key *key, uint64_t base_seed, void *x) {
    struct dataset_key given = *key;
    strcpy(given.order, "given");
    return key->values->fill(key->values, key->type, x, key->n, dataset_seed(&given, base_seed)) &&
           apply_order(key->order, key->type, x, key->n, dataset_seed(key, base_seed));
}
