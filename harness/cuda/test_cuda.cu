// SPDX-License-Identifier: MIT
// What only a GPU can show: guard zones see a byte written outside, and a busy GPU is busy. Skipped where there is
// none.
#include "harness/cuda/busy_load.h"
#include "harness/cuda/device_buffer.h"

#include <check.h>

#include <algorithm>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define FINE(call)                                                                                                     \
    do {                                                                                                               \
        const cudaError_t error = (call);                                                                              \
        ck_assert_msg(error == cudaSuccess, "%s: %s", #call, cudaGetErrorString(error));                               \
    } while (0)

enum { SKIPPED = 77 };

static __global__ void write_byte(unsigned char *at) {
    *at ^= 1;
}

// The first byte that is not poison: in slack and guards, or in the data.
static unsigned long long find(const device_buffer *buffer, uint64_t salt, bool in_data) {
    unsigned long long *change = nullptr, found = 0;
    FINE(cudaMalloc(reinterpret_cast<void **>(&change), sizeof *change));
    FINE(cudaMemset(change, 0xff, sizeof *change));
    FINE(in_data ? device_buffer_find_written(buffer, salt, change, nullptr)
                 : device_buffer_find_trespass(buffer, salt, change, nullptr));
    FINE(cudaMemcpy(&found, change, sizeof found, cudaMemcpyDeviceToHost));
    FINE(cudaFree(change));
    return found;
}

// Each place is written to, found where it is, and found nowhere after a new poison.
START_TEST(guards_see_every_byte_outside) {
    static const size_t sizes[] = {1, 4, 132, 4096}, offsets[] = {0, 4, 60};
    device_buffer buffer = {"a buffer"};
    for (const size_t bytes : sizes)
        for (const size_t offset : offsets) {
            FINE(device_buffer_place(&buffer, bytes, offset));
            const unsigned long long start = (unsigned long long)(buffer.data - buffer.base), end = start + bytes;
            ck_assert_uint_eq(reinterpret_cast<uintptr_t>(buffer.data) % 256, offset);
            for (const unsigned long long place :
                 {0ull, start - 1, end, end + 3, (unsigned long long)buffer.span - 1}) {
                FINE(device_buffer_poison(&buffer, 7, nullptr));
                ck_assert_uint_eq(find(&buffer, 7, false), NO_CHANGE);
                write_byte<<<1, 1>>>(buffer.base + place);
                ck_assert_uint_eq(find(&buffer, 7, false), place);
                ck_assert_uint_eq(find(&buffer, 7, true), NO_CHANGE);
            }
        }
    FINE(cudaFree(buffer.base));
}
END_TEST

START_TEST(data_that_were_written_are_no_poison) {
    device_buffer buffer = {"a buffer"};
    FINE(device_buffer_place(&buffer, 100, 12));
    FINE(device_buffer_poison(&buffer, 3, nullptr));
    ck_assert_uint_eq(find(&buffer, 3, true), NO_CHANGE);
    ck_assert_uint_ne(find(&buffer, 4, true), NO_CHANGE); // another salt is another poison
    write_byte<<<1, 1>>>(buffer.data + 99);
    ck_assert_uint_eq(find(&buffer, 3, true), (unsigned long long)(buffer.data - buffer.base) + 99);
    ck_assert_uint_eq(find(&buffer, 3, false), NO_CHANGE);
    FINE(cudaFree(buffer.base));
}
END_TEST

static __global__ void tell_place(unsigned *places) {
    unsigned place;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
    places[blockIdx.x] = place;
}

static size_t count_places(unsigned blocks, cudaStream_t stream) {
    unsigned *places = nullptr;
    std::vector<unsigned> host(blocks);
    FINE(cudaMallocAsync(reinterpret_cast<void **>(&places), blocks * sizeof *places, stream));
    tell_place<<<blocks, 64, 0, stream>>>(places);
    FINE(cudaMemcpyAsync(host.data(), places, blocks * sizeof *places, cudaMemcpyDeviceToHost, stream));
    FINE(cudaFreeAsync(places, stream));
    FINE(cudaStreamSynchronize(stream));
    return std::set<unsigned>(host.begin(), host.end()).size();
}

// Many small blocks visit every multiprocessor of an idle GPU, and none that is occupied; afterwards all again.
START_TEST(occupied_multiprocessors_take_no_other_block) {
    busy_load load;
    cudaStream_t stream;
    int processors = 0;
    FINE(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    FINE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    const unsigned blocks = unsigned(processors) * 64;
    count_places(blocks, stream); // loads code and fills the pool, which may take longer than the load lasts
    const size_t idle = count_places(blocks, stream);
    ck_assert_uint_eq(idle, (size_t)processors);
    for (const unsigned percent : {1u, 50u, 75u}) {
        const unsigned occupied = std::max(1u, unsigned(processors) * percent / 100);
        FINE(busy_load_start(&load, percent));
        const size_t left = count_places(blocks, stream);
        FINE(busy_load_stop(&load));
        ck_assert_uint_eq(left, (size_t)processors - occupied);
    }
    ck_assert_uint_eq(count_places(blocks, stream), idle);
    FINE(cudaStreamDestroy(stream));
}
END_TEST

int main() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        puts("Skipped: there is no CUDA device.");
        return SKIPPED;
    }
    Suite *suite = suite_create("cuda");
    TCase *tests = tcase_create("device");
    tcase_add_test(tests, guards_see_every_byte_outside);
    tcase_add_test(tests, data_that_were_written_are_no_poison);
    tcase_add_test(tests, occupied_multiprocessors_take_no_other_block);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); // a CUDA context does not survive a fork
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
