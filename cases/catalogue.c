// SPDX-License-Identifier: MIT
// The families and the corpus as one list, and the datasets made from them.
#include "cases/cases.h"

#include "cases/corpus.h"
#include "cases/families.h"
#include "cases/orders.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The one piece of state: what cases_load has read, and its last complaint.
static struct corpus loaded, own;
static char complaint[CORPUS_MESSAGE];

static bool names_are_free(const struct corpus *corpus) {
    for (size_t i = 0; i < corpus->count; i++)
        for (size_t j = 0; j < loaded.count; j++)
            if (strcmp(corpus->values[i].name, loaded.values[j].name) == 0) {
                snprintf(complaint, sizeof complaint, "%s/%s.txt: there is a case %s already", OWN_CORPUS,
                         strrchr(corpus->values[i].name, '/') + 1, corpus->values[i].name);
                return false;
            }
    return true;
}

const char *cases_load(const char *directory) {
    corpus_free(&loaded);
    corpus_free(&own);
    if (!corpus_load(&loaded, directory ? directory : REDUCTIO_CORPUS_DIRECTORY, complaint))
        return complaint;
    if (directory || access(OWN_CORPUS, F_OK) != 0)
        return NULL;
    return corpus_load(&own, OWN_CORPUS, complaint) && names_are_free(&own) ? NULL : complaint;
}

size_t case_values_count(void) {
    return family_count + loaded.count + own.count;
}

const struct case_values *case_values_at(size_t index) {
    if (index < family_count)
        return &families[index];
    index -= family_count;
    return index < loaded.count ? &loaded.values[index] : &own.values[index - loaded.count];
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
