// SPDX-License-Identifier: MIT
// Files as other people write them: kernels in their styles (kernels/tests/styles/), files that lack the lines that
// make a row, and launches of other types, go through the whole path on simt.
#include "harness/cli/test_program.h"
#include "harness/test_skip.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *file;
    int code;
    const char *says, *says_too; // on either stream
    const char *flags;
} styles[] = {
    {"float4_functor", 1, "misused, found by misuse", "misaligned address: it lies 4 bytes past a multiple of 16", ""},
    {"float4_functor", 1, "float4_functor@simt/f32 fails at misaligned base addresses alone, in ",
     "If all its callers pass what cudaMalloc gives, say .fixed_placement = true in its descriptor.", ""},
    {"float4_functor", 0, "None of 1 variants breaks a claim", "has no row of f64", "-- -DALIGNED=true"},
    {"in_a_class", 0, "None of 1 variants breaks a claim", "has no row of f32", ""},
    {"cooperative_grid", 0, "None of 1 variants breaks a claim", "has no row of f64", ""},
    {"ptx_for_the_gpu", 0, "None of 1 variants breaks a claim", "ptx_for_the_gpu@simt f64", ""},
    {"grid_barrier", 1, "misused, found by misuse",
     "grid_barrier.cu:10: kernel grid_barrier_sum, block 0, thread 0: calls grid.sync() in a launch that is not "
     "cooperative: cudaLaunchCooperativeKernel makes one",
     ""},
    {"grid_reduction", 0, "None of 1 variants breaks a claim", "grid_reduction@simt f64", ""},
    {"grid_reduction", 1, "breaks a claim", "grid_reduction@simt f64", "-- -DFORGOTTEN"},
    {"sdk_template", 0, "None of 1 variants breaks a claim", "sdk_template@simt f64", ""},
    {"vector_loads", 0, "None of 1 variants breaks a claim", "vector_loads@simt f64", ""},
    {"cooperative", 0, "None of 1 variants breaks a claim", "cooperative@simt f64", ""},
    {"whole_program", 0, "None of 1 variants breaks a claim", "whole_program@simt f32", ""},
    {"pool_class", 0, "None of 1 variants breaks a claim", "pool_class@simt f32", ""},
    {"in_headers", 0, "None of 1 variants breaks a claim", "in_headers@simt f64", ""},
    {"tail_lost", 1, "lost elements, found by coverage map", "Never added: elements 32 (1 of 33).", ""},
    {"barrier_missing", 1, "breaks a claim", "barrier_missing@simt f32", ""},
    {"inline_ptx", 2, "inline_ptx.cu:9: simt has no inline PTX (asm)", "keep that line from it with #ifdef __CUDACC__",
     ""},
};

START_TEST(kernel_in_another_style_is_judged) {
    char path[512], arguments[600];
#ifdef NO_ALIGNMENT
    if (strstr(styles[_i].says, "misalign") || strstr(styles[_i].says_too, "misalign"))
        SKIP_TEST("a build under UBSan leaves alignment to UBSan, which own files are compiled without");
#endif
    snprintf(path, sizeof path, STYLES "/%s.cu", styles[_i].file);
    snprintf(arguments, sizeof arguments, "%s", path);
    ck_assert_int_eq(check_file(arguments, styles[_i].flags), styles[_i].code);
    for (int i = 0; i < 2; i++) {
        const char *says = i ? styles[_i].says_too : styles[_i].says;
        ck_assert_msg(file_holds("out.txt", says) || file_holds("err.txt", says), "%s: \"%s\"", path, says);
    }
    ck_assert(styles[_i].code == 2 || !file_holds("own.json", STYLES)); // a report holds no folders
}
END_TEST

// The lines that are told make a row of the file, as they are.
static const struct {
    const char *file, *text, *says;
    int code; // once it is a row
} bare[] = {
    {"bare sum.cu",
     "__device__ float twice(float x) { return 2 * x; }\n"
     "template <int THREADS> __global__ void __launch_bounds__(THREADS, (2)) other(double *p) { *p = THREADS; }\n"
     "__global__ void whole_sum(const float *in, int n, float *out) {\n"
     "    if (blockIdx.x + threadIdx.x == 0) { float s = 0; for (int i = 0; i < n; i++) s += in[i]; *out = s; }\n"
     "}\n",
     "bare_sum@simt f32", 0},
    {"no_const.cu",
     "__global__ void sum_all(double *out_or_in, double *result, int n) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    double s = 0; for (int i = 0; i < n; i++) s += out_or_in[i]; *result = s;\n"
     "}\n",
     "no_const@simt f64", 0},
    {"adds.cu",
     "template <class T> __device__ T id(T x) { return x; }\n"
     "__global__ void add_all(const float *__restrict__ x, float *total, unsigned int count) {\n"
     "    extern __shared__ float mine[];\n"
     "    mine[threadIdx.x] = 0;\n"
     "    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)\n"
     "        mine[threadIdx.x] += id(x[i]);\n"
     "    atomicAdd(total, mine[threadIdx.x]);\n"
     "}\n",
     "adds@simt f32", 0},
    {"2doubles.cu",
     "__global__ void\nsum_it(double const *in, size_t n,\n double *out) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    double s = 0; for (size_t i = 0; i < n; i++) s += in[i]; *out = s;\n"
     "}\n",
     "my_2doubles@simt f64", 0},
    // vectors: what is left over where n is no multiple is lost, as the lines say, and nothing is misaligned
    {"four.cu",
     "namespace mine { namespace { // \"}\" in a string, '}' in a character\n"
     "inline const char *brace() { return \"}\"; }\n"
     "__global__ void sum4(const float4 *__restrict__ v, float *out, int quads, const float *rest) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    float s = 0; for (int i = 0; i < quads; i++) s += v[i].x + v[i].y + v[i].z + v[i].w;\n"
     "    for (int i = 0; i < 3; i++) s += 0 * *rest;\n"
     "    *out = s;\n"
     "}\n"
     "} }\n",
     "four@simt f32", 1},
    {"generic.cu",
     "template <class T> struct Plus { __device__ T operator()(T a, T b) const { return a + b; } };\n"
     "template <unsigned BLOCK_THREADS, typename T, bool IS_POWER, int ITEMS_PER_THREAD, template <class> class Op,\n"
     "          int DEFAULTED = 3>\n"
     "__global__ void __launch_bounds__(BLOCK_THREADS) reduce(const T *x, T *y, unsigned n) {\n"
     "    static_assert(BLOCK_THREADS == 256 && !IS_POWER && ITEMS_PER_THREAD == 4 && DEFAULTED == 3, \"as "
     "launched\");\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    T s = 0; for (unsigned i = 0; i < n; i++) s = Op<T>()(s, x[i]); *y = s;\n"
     "}\n",
     "generic@simt f64", 0},
    {"pairs.cu",
     "__global__ void sum2(double2 *v, double *out, size_t pairs) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    double s = 0; for (size_t i = 0; i < pairs; i++) s += v[i].x + v[i].y; *out = s;\n"
     "}\n",
     "pairs@simt f64", 1},
    {"halves.cu",
     "#include <cuda_fp16.h>\n"
     "__global__ void sum_halves(const __half *in, __half *out, int n) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    __half s = 0; for (int i = 0; i < n; i++) s = __hadd(s, in[i]); *out = s;\n"
     "}\n",
     "halves@simt f16", 0},
    // both pointers that are not to const: the last is the sum's, and the count's const makes no input of it
    {"wider.cu",
     "__global__ void sum_wider(float *in, double *out, const int n) {\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    double s = 0; for (int i = 0; i < n; i++) s += in[i]; *out = s;\n"
     "}\n",
     "wider@simt f32:f64", 0},
    {"accumulator.cu",
     "template <int BLOCK, typename AccT, typename In>\n"
     "__global__ void sum_in(const In *in, In *out, size_t n) {\n"
     "    static_assert(BLOCK == 256 && sizeof(AccT) == sizeof(In));\n"
     "    if (blockIdx.x + threadIdx.x) return;\n"
     "    AccT s = 0; for (size_t i = 0; i < n; i++) s += in[i]; *out = s;\n"
     "}\n",
     "accumulator@simt f64", 0},
};

START_TEST(told_lines_make_a_row) {
    char command[512];
    write_file(bare[_i].file, bare[_i].text);
    snprintf(command, sizeof command, "'%s'", bare[_i].file);
    ck_assert_int_eq(check_file(command, ""), 2);
    snprintf(command, sizeof command, "sed -n '/^#include/,/^REDUCTIO_VARIANT/p' err.txt >>'%s'", bare[_i].file);
    shell(command);
    snprintf(command, sizeof command, "'%s'", bare[_i].file);
    ck_assert_int_eq(check_file(command, ""), bare[_i].code);
    ck_assert(file_holds("out.txt", bare[_i].says));
    ck_assert(file_holds("out.txt", bare[_i].code ? "lost elements" : "None of 1 variants breaks a claim"));
    ck_assert(!file_holds("out.txt", "misused"));
}
END_TEST

// What only the author knows is left open by name, rather than filled in with something else.
START_TEST(policies_and_operations_are_left_open) {
    write_file("policy.cu", "namespace lib {\n"
                            "template <typename PolicyT, typename T, typename ReduceOp>\n"
                            "__global__ void __launch_bounds__(PolicyT::threads) reduce(T const *in, T *out, size_t n, "
                            "ReduceOp op) {}\n"
                            "}\n");
    ck_assert_int_eq(check_file("policy.cu", ""), 2);
    ck_assert(file_holds("err.txt", "launch(const reductio_in *in, size_t n, reductio_out *out, void *, "));
    ck_assert(file_holds("err.txt",
                         "lib::reduce</* PolicyT */, reductio_in, /* ReduceOp */><<<64, 256, 0, stream>>>(in, "
                         "out, n, /* ReduceOp op */);"));
}
END_TEST

// That a thread ends before the next one starts is the emulator's doing: where nothing is waited for, nothing is
// ordered.
START_TEST(threads_of_a_block_that_never_meet_race) {
    write_file("never.cu", "// Types: f32\n#include <reductio.h>\n"
                           "__global__ void add(const float *in, size_t n, float *out) {\n"
                           "    float s = 0; for (size_t i = 0; i < n; i++) s += in[i];\n"
                           "    if (threadIdx.x == 0) *out = 0;\n"
                           "    if (threadIdx.x == 1) *out = s;\n"
                           "}\n"
                           "static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, "
                           "cudaStream_t s) { add<<<1, 32, 0, s>>>(in, n, out); return cudaGetLastError(); }\n"
                           "REDUCTIO_VARIANT(never, .summary = \"two threads store\");\n");
    int code = run("hazards never.cu --quiet");
    if (code == 77)
        SKIP_TEST("this compiler has no sanitizers");
    ck_assert_int_eq(code, 1);
    ck_assert(file_holds("out.txt", "never: raced"));
    ck_assert(file_holds("out.txt", "byte 0 of the output, which block 0, thread "));
}
END_TEST

// A barrier of the grid orders what blocks have written; without it, what another block reads of it is a race.
START_TEST(grid_barriers_order) {
    int code = run("hazards " STYLES "/grid_reduction.cu --quiet");
    if (code == 77)
        SKIP_TEST("this compiler has no sanitizers");
    ck_assert_int_eq(code, 0);
    ck_assert_int_eq(run("hazards " STYLES "/grid_reduction.cu --quiet -- -DFORGOTTEN"), 1);
    ck_assert(file_holds("out.txt", "grid_reduction: raced"));
    ck_assert(file_holds("out.txt", "of the workspace, which block "));
    ck_assert(file_holds("out.txt", "grid_reduction.cu:54"));
}
END_TEST

// A launch that fits no type is the compiler's to explain, as is one of a kernel whose arguments are not known.
static const struct {
    const char *file, *text, *says, *says_too;
} uncompiled[] = {
    {"shape.cu",
     "#include <reductio.h>\n"
     "static cudaError_t launch(const float *in, float *out, int n) { return cudaSuccess; }\n"
     "REDUCTIO_VARIANT(shape, .summary = \"a launch of two pointers\");\n",
     "shape.cu does not compile for simt, f32:", "error:"},
    {"untyped.cu",
     "// Types: f32\n#include <reductio.h>\n"
     "__global__ void add(const float *in, float *out) { *out = *in; }\n"
     "static cudaError_t launch(const float *in, size_t, float *out, void *, reductio_shape, cudaStream_t) {\n"
     "    void *arguments[] = {&in, &out}, *kernel = (void *)add;\n"
     "    return cudaLaunchCooperativeKernel(kernel, 1, 1, arguments);\n"
     "}\n"
     "REDUCTIO_VARIANT(untyped, .summary = \"a kernel behind a void *\");\n",
     "untyped.cu:6:", "simt has no launches by an untyped pointer"},
};

START_TEST(launch_that_does_not_compile_is_told) {
    write_file(uncompiled[_i].file, uncompiled[_i].text);
    ck_assert_int_eq(check_file(uncompiled[_i].file, ""), 2);
    ck_assert(file_holds("err.txt", uncompiled[_i].says));
    ck_assert(file_holds("err.txt", uncompiled[_i].says_too));
}
END_TEST

#define KERNEL(name, row)                                                                                              \
    "__global__ void " name "(const float *in, size_t n, float *out) {\n"                                              \
    "    float s = 0; for (size_t i = 0; i < n; i++) s += in[i]; *out = s;\n"                                          \
    "}\n"                                                                                                              \
    "static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, cudaStream_t s) {\n"     \
    "    " name "<<<1, 1, 0, s>>>(in, n, out); return cudaGetLastError();\n"                                           \
    "}\n"                                                                                                              \
    "REDUCTIO_VARIANT(" row ", .summary = \"a loop\");\n"

// As a __device__ lambda needs --extended-lambda: simt takes the file, and nvcc does with its flags.
START_TEST(flags_that_nvcc_lacks_are_asked_for) {
#ifndef BUILDS_FOR_GPU
    SKIP_TEST("nothing is compiled for the GPU in this build");
#endif
    write_file("flags.cu", "// Types: f32\n#if defined(__CUDACC__) && !defined(FLAG)\n#error FLAG\n#endif\n"
                           "#include <reductio.h>\n" KERNEL("add", "flags"));
    ck_assert_int_eq(run("check flags.cu"), 2);
    ck_assert(file_holds("err.txt", "flags.cu does not compile for cuda, f32:"));
    ck_assert(file_holds("err.txt", "nvcc was given no flags. Those that your build gives it follow a --: "
                                    "reductio check flags.cu -- FLAGS"));
    ck_assert_int_eq(run("check flags.cu --backend simt"), 0);
}
END_TEST

START_TEST(whose_error_it_is_cannot_be_told_without_nvcc) {
    write_file("unknown.cu", "// Types: f32\n#include <reductio.h>\n" KERNEL("add", "unknown") "int x = unheard_of;\n");
    setenv("CUDACXX", "/nonexistent", 1);
    ck_assert_int_eq(run("check unknown.cu"), 2);
    unsetenv("CUDACXX");
    ck_assert(file_holds("err.txt", "there is no nvcc here to tell whether the first error is the file's own"));
}
END_TEST

START_TEST(mixed_types_are_asked_for) {
    write_file("mixed.cu", "#include <reductio.h>\n"
                           "__global__ void add(const float *in, size_t n, double *out) {\n"
                           "    double s = 0; for (size_t i = 0; i < n; i++) s += in[i]; *out = s;\n"
                           "}\n"
                           "static cudaError_t launch(const float *in, size_t n, double *out, void *, reductio_shape, "
                           "cudaStream_t s) { add<<<1, 1, 0, s>>>(in, n, out); return cudaGetLastError(); }\n"
                           "REDUCTIO_VARIANT(mixed, .summary = \"floats into a double\");\n");
    ck_assert_int_eq(check_file("mixed.cu", ""), 2);
    ck_assert(file_holds("err.txt", "\"// Types: f32:f64\""));
    shell("sed -i '1i // Types: f32:f64' mixed.cu");
    ck_assert_int_eq(check_file("mixed.cu", ""), 0);
    ck_assert(file_holds("out.txt", "mixed@simt f32:f64"));
}
END_TEST

// A file stands for its row, on either side.
static const struct {
    const char *operands;
    int code;
    const char *says, *says_too; // on either stream
} sides[] = {
    {"mine.cu host_kahan", 0, "A: mine@simt/f32 gives 7 (", "B: host_kahan@host/f32 gives 7 ("},
    {"host_kahan mine.cu", 0, "A: host_kahan@host/f32 gives 7 (", "B: mine@simt/f32 gives 7 ("},
    {"mine.cu 8", 0, "A: mine@simt/f32 gives 7 (", "B: the value 8"},
    {"mine.cu yours.cu", 0, "A: mine@simt/f32 gives 7 (", "B: yours@simt/f32 gives 7 ("},
    {"mine host_kahan mine.cu", 0, "A: mine@simt/f32 gives 7 (", "B: host_kahan@host/f32 gives 7 ("},
    {"two.cu host_kahan", 2, "two.cu holds several rows, such as first and second: name the one beside", ""},
    {"second host_kahan two.cu", 0, "A: second@simt/f32 gives 7 (", ""},
    {"mine.cu", 2, "explain wants an array and two sums of it", ".cu files"},
    {"mine.cu yours.cu host_kahan", 2, "explain wants an array and two sums of it", ""},
};

START_TEST(explain_takes_a_file_for_a_row) {
    char arguments[256];
    write_file("mine.cu", "// Types: f32\n#include <reductio.h>\n" KERNEL("add", "mine"));
    write_file("yours.cu", "// Types: f32\n#include <reductio.h>\n" KERNEL("add", "yours"));
    write_file("two.cu", "// Types: f32\n#include <reductio.h>\nnamespace a {\n" KERNEL(
                             "add", "first") "}\nnamespace b {\n" KERNEL("add", "second") "}\n");
    shell("printf '\\0\\0\\200\\77\\0\\0\\0\\100\\0\\0\\200\\100' >x.raw"); // 1, 2, 4
    snprintf(arguments, sizeof arguments, "explain x.raw %s --type f32 --backend simt --backend host --quiet",
             sides[_i].operands);
    ck_assert_msg(run(arguments) == sides[_i].code, "%s", arguments);
    for (int i = 0; i < 2; i++) {
        const char *says = i ? sides[_i].says_too : sides[_i].says;
        ck_assert_msg(file_holds("out.txt", says) || file_holds("err.txt", says), "%s: \"%s\"", arguments, says);
    }
}
END_TEST

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

int main(int argc, char **argv) {
    if (!take_arguments(argc, argv))
        return EXIT_FAILURE;
    keep_own_cache();
    Suite *suite = suite_create("own files");
    TCase *tests = tcase_create("own files");
    tcase_add_loop_test(tests, kernel_in_another_style_is_judged, 0, COUNT(styles));
    tcase_add_loop_test(tests, told_lines_make_a_row, 0, COUNT(bare));
    tcase_add_test(tests, policies_and_operations_are_left_open);
    tcase_add_test(tests, threads_of_a_block_that_never_meet_race);
    tcase_add_test(tests, grid_barriers_order);
    tcase_add_loop_test(tests, launch_that_does_not_compile_is_told, 0, COUNT(uncompiled));
    tcase_add_loop_test(tests, explain_takes_a_file_for_a_row, 0, COUNT(sides));
    tcase_add_test(tests, flags_that_nvcc_lacks_are_asked_for);
    tcase_add_test(tests, whose_error_it_is_cannot_be_told_without_nvcc);
    tcase_add_test(tests, mixed_types_are_asked_for);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
