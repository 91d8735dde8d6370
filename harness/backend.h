// SPDX-License-Identifier: MIT
// What a worker needs of the machine that runs its variant. Implemented once each by host/, simt/ and cuda/; a worker
// executable links exactly one of them.
#ifndef REDUCTIO_BACKEND_H
#define REDUCTIO_BACKEND_H

#include "harness/reductio.h"
#include "harness/schedule.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BACKEND_MESSAGE = 1024 };

// How a launch ended. The message says what happened with kernel, block, thread and line where they are known.
enum work_outcome {
    WORK_DONE,    // it ran to its end
    WORK_REFUSED, // launch or workspace error: nothing ran
    // A sanitizer build that cannot see hazards in a launch of this size, or what was left where the row had ended too
    // many workers: nothing ran, nobody's fault.
    WORK_NOT_CHECKED,
    // The harness could not run it, for want of memory, of a process, of its worker: nobody's fault either.
    WORK_NOT_POSSIBLE,
    WORK_LOST,          // whoever ran it was ended from outside, or because memory ran out
    WORK_MISUSED,       // barrier, shuffle or launch misuse
    WORK_RACED,         // a sanitizer build saw a race
    WORK_OUT_OF_BOUNDS, // an access outside its arrays
    WORK_CRASHED,       // any other fatal signal, or a sticky device error
    WORK_HUNG           // out of time; only the parent says this, or the emulator when no thread can go on
};

enum backend_role { ROLE_INPUT, ROLE_OUTPUT, ROLE_WORKSPACE, ROLE_COUNT };

// One line of the environment, "key" "value": gpu, driver, cuda, cccl, compiler, flags, emulated ... Called with index
// 0, 1, ... until false.
bool backend_environment(int index, const char **key, const char **value);

// Prepares device number `device`. False with one sentence in message where there is none.
bool backend_open(int device, char *message);

// Makes room for `bytes` in a role, `offset` bytes past a 256-byte boundary, with slack on both sides up to the next
// boundary, then an unmapped page (CPU) or a guard zone (GPU). Buffers are kept and reused between calls; their
// contents are undefined until they are poisoned, which the worker does before a launch. Returns the address to hand to
// the variant, NULL with a message when memory is out.
void *backend_place(enum backend_role role, size_t bytes, size_t offset, char *message);
// Fills a role with signalling NaN poison that differs by place and by `salt` (POISON_OF_16_BITS in it: of the 16-bit
// formats too, see poison.h), slack included.
void backend_poison(enum backend_role role, uint64_t salt);
// True if every byte of the role still holds that poison.
bool backend_is_poison(enum backend_role role, uint64_t salt);
void backend_upload(enum backend_role role, const void *from, size_t bytes);
void backend_download(enum backend_role role, void *to, size_t bytes);
// True if the placed input still holds the bytes that were uploaded to it last, from `uploaded`.
bool backend_input_is_unchanged(const void *uploaded, size_t bytes);
// Slack on both sides of every role is untouched; otherwise the outcome is WORK_OUT_OF_BOUNDS and the message says
// which and where.
enum work_outcome backend_check_slack(char *message);

// Calls variant->launch on the placed buffers under a schedule and waits for its end. ns receives the time of the
// launch alone.
enum work_outcome backend_launch(const struct reductio_variant *variant, uint64_t n, struct reductio_shape shape,
                                 struct schedule schedule, uint64_t *ns, char *message);

// Calls in a row, for timing: call i reads copy (first + i) % copies of the input; copies lie `stride` bytes apart.
struct call_series {
    uint64_t n;
    struct reductio_shape shape;
    struct schedule schedule;
    size_t stride;
    uint64_t copies, first, calls; // each at least 1 but for first
};
// Bytes that the copies of an input must span so that none is still in a cache when its turn comes again; 0 where the
// time is no measure of memory.
size_t backend_cache_span(void);
// Puts `copies` of `bytes` into the placed input, `stride` bytes apart.
void backend_upload_copies(const void *from, size_t bytes, size_t stride, uint64_t copies);
// Makes the calls, nothing between them, and waits for the last. ns receives the time of all by the machine's own
// clock.
enum work_outcome backend_time_calls(const struct reductio_variant *variant, const struct call_series *series,
                                     uint64_t *ns, char *message);
// Likewise for a kernel that reads `bytes` of a copy and does nothing else; 0 ns where the machine has none.
enum work_outcome backend_time_reads(const struct call_series *series, size_t bytes, uint64_t *ns, char *message);

// Explains a fault address ("4 bytes past the end of the input, block 3, thread 31") for a signal handler:
// async-signal-safe, false if it knows nothing.
bool backend_explain_address(const void *address, char *message);

// What the launch at work has done wrong until now, as backend_launch would return it, for a variant that ends the
// process instead of coming back: async-signal-safe, WORK_DONE if nothing is known.
enum work_outcome backend_fault_so_far(char *message);

// Of a NaN of `size` bytes: whose poison it carries ("byte 4 of the workspace"), since the last launch. False if it
// knows nothing.
bool backend_trace_poison(uint64_t bits, size_t size, char *message);

// What a worker was started for.
struct worker_errand {
    const char *load;           // what --load names: a program's command line, a file; NULL: nothing
    const char *variant, *type; // the one to serve; NULL: all are asked about
    int device;
};
// The variants of this executable, ending with NULL: the register that CMake writes, or what the backend finds in what
// it was told to load. NULL with one sentence in message where it finds nothing that it can use.
const struct reductio_variant *const *backend_variants(const struct worker_errand *errand, char *message);
// The rows of the plug-in (reductio_plugin.h) that the errand tells to load, named PLUGIN.ROW: all of them where they
// are asked about, otherwise those that an executable of this backend, "host" or "cuda", can serve. Called once in a
// process.
const struct reductio_variant *const *plugin_variants(const struct worker_errand *errand, const char *own_backend,
                                                      char *message);

#ifdef __cplusplus
}
#endif
#endif
