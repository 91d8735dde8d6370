// SPDX-License-Identifier: MIT
// The machine that the headers of include/ talk to: one fiber a CUDA thread, all on one thread of the system. C, so
// that it can be compiled without the sanitizer that a kernel is compiled with.
#ifndef REDUCTIO_SIMT_MACHINE_H
#define REDUCTIO_SIMT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The device that simt pretends to be: small, with the limits of compute capability 9.0 (CUDA C++ Programming Guide,
// table "Technical Specifications per Compute Capability").
enum {
    SIMT_WARP = 32,
    SIMT_MAX_THREADS = 1024, // per block
    SIMT_MAX_BLOCK_Z = 64,
    SIMT_MAX_GRID_X = 2147483647,
    SIMT_MAX_GRID_YZ = 65535,
#if defined(REDUCTIO_SIMT_TSAN) // all threads of a cooperative launch are alive together, and each is dear there
    SIMT_MULTIPROCESSORS = 2,
    SIMT_MULTIPROCESSOR_THREADS = 1024,
#else
    SIMT_MULTIPROCESSORS = 4,
    SIMT_MULTIPROCESSOR_THREADS = 2048,
#endif
    SIMT_MULTIPROCESSOR_BLOCKS = 32,
    SIMT_MULTIPROCESSOR_SHARED = 228 << 10, // bytes, of which each block takes SIMT_SHARED_RESERVED besides its own
    SIMT_SHARED_RESERVED = 1 << 10,
    SIMT_SHARED_DEFAULT = 48 << 10, // bytes a block may have without asking
    SIMT_SHARED_OPT_IN = 227 << 10  // with cudaFuncAttributeMaxDynamicSharedMemorySize
};

struct simt_index {
    unsigned x, y, z;
};

// A place in the source. Sites of one source line are one place.
struct simt_place {
    const char *file;
    int line;
};

// A launch, as the headers hand it over.
struct simt_launch {
    const char *kernel;
    struct simt_place place;
    struct simt_index grid, block;
    size_t dynamic_bytes;
    void (*body)(void *arguments); // runs one thread of the kernel
    void *arguments;
    bool cooperative; // all blocks are resident together
};

struct simt_block {
    struct simt_index index;          // blockIdx
    const struct simt_launch *launch; // blockDim, gridDim
    unsigned char *shared;            // its static shared memory
    unsigned char *dynamic;           // its dynamic shared memory, ends at an unmapped page
    struct simt_thread *threads;
    struct simt_warp *warps;
    uint64_t rank;          // of the block in the grid
    unsigned live, arrived; // threads not exited; of them, at the barrier
    int count;              // of true predicates at the barrier so far
    int result;             // of the last barrier
    struct simt_place barrier;
    unsigned slot;
    unsigned pool;  // of stacks and arenas: which of them are the block's
    unsigned phase; // barriers behind it
    bool running;
    // Its threads that have not exited are still linked from `first` to `last`, as the last barrier has released them:
    // the next one need not link them again.
    bool linked;
    struct simt_thread *first, *last;
};

// What a thread has last waited at, whether or not it may go on by now.
enum simt_state {
    SIMT_RUNNING,
    SIMT_AT_BARRIER,
    SIMT_AT_GRID_BARRIER,
    SIMT_AT_WARP_OPERATION,
    SIMT_AT_ATOMIC,
    SIMT_EXITED
};

// All that a barrier needs, in half a line of the cache; threads of a block lie one after the other.
struct simt_thread {
    void *context; // where it goes on; see fiber.h
    struct simt_thread *next;
    struct simt_block *block;
    uint16_t x, y, z; // threadIdx
    uint16_t state;
};
#ifndef __cplusplus
_Static_assert(SIMT_MAX_THREADS <= UINT16_MAX, "a thread's index fits");
#endif

static inline struct simt_index simt_index_of(const struct simt_thread *thread) {
    struct simt_index index = {thread->x, thread->y, thread->z};
    return index;
}

static inline unsigned simt_lane_of(const struct simt_thread *thread) {
    return (unsigned)(thread - thread->block->threads) % SIMT_WARP;
}

// The running thread; NULL outside of kernels.
extern struct simt_thread *simt_here;
// CUDA's names for where it is. Objects, not macros: people call their own variables and members so.
extern struct simt_index threadIdx, blockIdx;
#ifndef __cplusplus // there, cuda_runtime.h declares them as dim3
extern struct simt_index blockDim, gridDim;
#endif

// Launch; 0 or a cudaError_t. All blocks have run to their end when it returns.
int simt_launch(const struct simt_launch *launch);

// __syncthreads; for its kin, the number of threads whose predicate held.
void simt_barrier(struct simt_place place, bool predicate);
static inline int simt_barrier_count(struct simt_place place, bool predicate) {
    simt_barrier(place, predicate);
    return simt_here->block->result;
}

// cooperative_groups::this_grid().sync(): waits for every thread of a cooperative launch.
void simt_grid_barrier(struct simt_place place);
// How many blocks a multiprocessor holds at once, by their threads and dynamic shared memory. Of registers and static
// shared memory nothing is known here: an upper limit.
unsigned simt_blocks_per_multiprocessor(unsigned threads, size_t dynamic_bytes);

enum simt_warp_operation {
    SIMT_SYNC,
    SIMT_SHUFFLE, // argument: source lane
    SIMT_SHUFFLE_UP,
    SIMT_SHUFFLE_DOWN,
    SIMT_SHUFFLE_XOR,
    SIMT_BALLOT,
    SIMT_ANY,
    SIMT_ALL,
    SIMT_MATCH_ANY,
    SIMT_REDUCE_ADD, // the rest: on 32-bit integers
    SIMT_REDUCE_MIN,
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_SIGNED,
    SIMT_REDUCE_MAX_SIGNED,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR,
    SIMT_ACTIVE_MASK
};

// What a shuffle from a lane that takes no part gives: a NaN in f64 and in the f32 of either half.
#define SIMT_POISON 0x7FF5DEAD7FA5DEADu

// Waits until every lane of the mask is at the same operation; returns this lane's result.
uint64_t simt_warp(enum simt_warp_operation operation, uint32_t mask, uint64_t value, int argument, int width,
                   struct simt_place place);
uint32_t simt_active_mask(struct simt_place place);

// Where another thread may go first: atomics, fences, sleeps.
void simt_yield(struct simt_place place);
// The same, before a floating-point atomic on a value of this magnitude.
void simt_yield_float(double magnitude, struct simt_place place);
// Whom a fence is meant for. In a build with the race detector these tell it what fences and atomics order.
enum simt_scope { SIMT_BLOCK, SIMT_DEVICE };
void simt_order_fence(enum simt_scope scope);
void simt_order_atomic(const void *address, bool writes);
// True if the address lies in the shared memory of some block.
bool simt_is_shared(const void *address);

// One declaration of static shared memory in one instantiation of its function.
struct simt_site {
    const char *name;
    struct simt_place place;
    size_t bytes, alignment;
    uint64_t launch; // for which `offset` holds
    size_t offset;
};
// Gives the site a slot in this launch's layout.
void simt_place_site(struct simt_site *site);
extern uint64_t simt_launch_number;

static inline void *simt_shared(struct simt_site *site) {
    if (site->launch != simt_launch_number)
        simt_place_site(site);
    return simt_here->block->shared + site->offset;
}

// Ends the launch: the sentence is preceded by place, kernel, block and thread.
__attribute__((noreturn, format(printf, 2, 3))) void simt_misuse(struct simt_place place, const char *format, ...);
__attribute__((noreturn)) void simt_trap(struct simt_place place);

// cudaFuncAttributeMaxDynamicSharedMemorySize, for all kernels together.
void simt_allow_dynamic(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
