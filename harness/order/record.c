// SPDX-License-Identifier: MIT
#include "harness/order/record.h"

#include "harness/cell.h"
#include "harness/order/identify.h"
#include "harness/plan.h"
#include "harness/support.h"

#include <string.h>

static char *say_why(const struct order_identity *identity) {
    if (*identity->why)
        return must_copy_text(identity->why);
    if (!identity->inferred_from)
        return NULL;
    return text_format("inferred from n = %u%s", identity->inferred_from,
                       identity->proof      ? " and proven"
                       : identity->has_tree ? ", evaluated but not proven"
                                            : "");
}

static void describe_order(const struct order_identity *identity, struct order_result *order) {
    order->kind = must_copy_text(order_kind_name(identity->kind));
    order->why = say_why(identity);
    if (!identity->has_tree || identity->kind > ORDER_KIND_MULTIWAY)
        return;
    order->height = order_height(&identity->tree);
    order->hash = order_hash(&identity->tree);
    if (identity->tree.n <= RECORD_FORMULA_N)
        order->formula = order_formula(&identity->tree);
}

static void look_into(const struct catalog *catalog, const struct selection *selection, size_t variant, uint64_t n,
                      const volatile sig_atomic_t *interrupted, struct order_result *order) {
    struct probe_bench bench;
    struct order_identity identity;
    char message[ORDER_MESSAGE] = "", shape[32];
    probe_bench_open(&bench, catalog, variant, selection);
    bench.interrupted = interrupted;
    shape_print(bench.shape, shape, sizeof shape);
    *order = (struct order_result){.n = n, .shape = must_copy_text(shape)};
    if (order_identify(&bench, (uint32_t)n, &identity, message)) {
        describe_order(&identity, order);
    } else {
        order->kind = must_copy_text(order_kind_name(ORDER_KIND_UNKNOWN));
        order->why = text_format("it did not run: %s", message);
    }
    order_identity_free(&identity);
    probe_bench_close(&bench);
}

void record_orders(const struct catalog *catalog, const struct selection *selection, const uint64_t *sizes,
                   size_t size_count, const volatile sig_atomic_t *interrupted, struct run_result *result) {
    for (size_t v = 0; size_count && v < result->variant_count; v++) {
        struct variant_result *row = &result->variants[v];
        int variant = catalog_find_variant(catalog, row->name, row->backend, row->type);
        if (variant == NO_INDEX || !row->cell_count || catalog_fault(catalog, (size_t)variant))
            continue;
        row->orders = must_calloc(size_count, sizeof *row->orders);
        for (size_t s = 0; s < size_count && !(interrupted && *interrupted); s++)
            look_into(catalog, selection, (size_t)variant, sizes[s], interrupted, &row->orders[row->order_count++]);
    }
}
