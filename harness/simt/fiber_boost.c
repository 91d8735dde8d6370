// SPDX-License-Identifier: MIT
// Boost.Context by its C entry points, for machines that fiber_own.c does not know. They are declared here because
// Boost's own header is C++: boost/context/detail/fcontext.hpp.
#include "harness/simt/fiber.h"

typedef void *fcontext_t;
typedef struct {
    fcontext_t from;
    void *data;
} transfer_t;

transfer_t jump_fcontext(fcontext_t to, void *data);
fcontext_t make_fcontext(void *top, size_t size, void (*entry)(transfer_t));

const char simt_fiber_kind[] = "Boost.Context";

static void (*fiber_entry)(void);

// A switch hands over where the context that was left is to be kept.
static void keep(transfer_t transfer) {
    *(void **)transfer.data = transfer.from;
}

static void enter(transfer_t transfer) {
    keep(transfer);
    fiber_entry();
}

void *simt_fiber_prepare(void *top, size_t size, void (*entry)(void)) {
    fiber_entry = entry;
    return make_fcontext(top, size, enter);
}

void simt_fiber_switch(void **from, void *to) {
    keep(jump_fcontext(to, from));
}
