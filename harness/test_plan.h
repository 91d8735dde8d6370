// SPDX-License-Identifier: MIT
// A catalogue made by hand, for the tests of plans.
#ifndef REDUCTIO_TEST_PLAN_H
#define REDUCTIO_TEST_PLAN_H

#include "harness/plan.h"
#include "harness/support.h"

#include <stdlib.h>
#include <string.h>

// One honest row on the emulator and on the CPU, and one planted fault.
static inline struct catalog make_catalog(void) {
    struct catalog catalog = {.backend_count = 3, .variant_count = 3};
    catalog.backends = must_calloc(3, sizeof *catalog.backends);
    catalog.backends[0] = (struct catalog_backend){.name = "host", .device = DEVICE_OPENS, .max_n = 1 << 20};
    catalog.backends[1] = (struct catalog_backend){.name = "simt", .device = DEVICE_OPENS, .max_n = 1 << 14};
    catalog.backends[2] =
        (struct catalog_backend){.name = "cuda", .device = DEVICE_ABSENT, .absent = must_copy_text("no device.")};
    catalog.variants = must_calloc(3, sizeof *catalog.variants);
    const char *names[] = {"plain", "tree", "drops"}, *backends[] = {"host", "simt", "simt"};
    for (int i = 0; i < 3; i++) {
        struct catalog_variant *row = &catalog.variants[i];
        row->backend = i > 0;
        row->faulty = i == 2;
        row->card.shape_count = 2;
        row->card.shapes[0] = (struct reductio_shape){256, 0};
        row->card.shapes[1] = (struct reductio_shape){64, 4};
        strcpy(row->card.name, names[i]);
        strcpy(row->card.backend, backends[i]);
        strcpy(row->card.type, "f32");
    }
    return catalog;
}

static inline void print_identity(const struct plan *plan, size_t index, char *text) {
    struct cell_key key;
    plan_cell_key(plan, &plan->cells[index], &key);
    cell_key_print(&key, text);
}

// The same catalogue with its tree on three GPUs, the second of which was chosen.
static inline struct catalog make_gpu_catalog(void) {
    struct catalog catalog = make_catalog();
    free(catalog.backends[2].absent);
    catalog.backends[2] = (struct catalog_backend){.name = "cuda", .device = DEVICE_OPENS, .max_n = 1 << 20};
    catalog.variants[1].backend = 2;
    strcpy(catalog.variants[1].card.backend, "cuda");
    catalog.devices = 3;
    catalog.device = 1;
    return catalog;
}

#endif
