// SPDX-License-Identifier: MIT
#include "harness/simt/translate.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static char *run(const char *source, char *message) {
    char *output = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&output, &size);
    ck_assert_ptr_nonnull(out);
    bool done = translate(source, "k.cu", NULL, out, message, 512);
    fclose(out);
    if (done)
        return output;
    free(output);
    return NULL;
}

// All white space is one blank, and the first line is dropped.
static void squeeze(char *text) {
    char *to = text;
    for (char *from = strchr(text, '\n') + 1; *from; from++) {
        char c = *from == '\n' || *from == '\t' ? ' ' : *from;
        if (c != ' ' || (to > text && to[-1] != ' '))
            *to++ = c;
    }
    while (to > text && to[-1] == ' ')
        to--;
    *to = 0;
}

static void expect(const char *source, const char *expected) {
    char message[512];
    char *output = run(source, message);
    ck_assert_msg(output, "%s", message);
    ck_assert_int_eq(strncmp(output, "#line 1 \"k.cu\"\n", 15), 0);
    squeeze(output);
    ck_assert_str_eq(output, expected);
    free(output);
}

static void expect_unchanged(const char *source) {
    char message[512];
    char *output = run(source, message);
    ck_assert_msg(output, "%s", message);
    ck_assert_str_eq(output + 15, source);
    free(output);
}

static void expect_refused(const char *source, const char *sentence) {
    char message[512];
    ck_assert_msg(!run(source, message), "%s", source);
    ck_assert_str_eq(message, sentence);
}

START_TEST(leaves_comments_strings_and_shifts_alone) {
    expect_unchanged("// k<<<1, 2>>>(x); __shared__ float a[2];\n"
                     "/* asm volatile\n __shared__ */ int a = 1 << 2 >> 3;\n"
                     "const char *s = \"k<<<1, 2>>>(x) \\\" asm __shared__\";\n"
                     "const char *r = R\"x(asm )\" __shared__ k<<<1,1>>>())x\";\n"
                     "char c = '\"', d = '\\''; int n = 1'000'000; double e = 0x1p-3, f = 1e+5;\n"
                     "std::vector<std::vector<std::vector<int>>> v; x = a<b<c>>::d >> 2;\n"
                     "std::ostream &operator<<<int>(std::ostream &o);\n"
                     "#error don't\n#pragma unroll\nint z; // last \\\n asm\n");
}
END_TEST

START_TEST(leaves_what_the_preprocessor_hides) {
    expect_unchanged("#if 0\nasm(\"x\"); __shared__ int a;\n#if 1\nasm\n#endif\nasm\n#else\nint b;\n#endif\n");
    expect_refused("#if 0\nasm\n#else\nasm(\"\");\n#endif\n", "k.cu:4: simt has no inline PTX (asm)");
    static const char *const hidden[] = {"#ifdef __CUDA_ARCH__",
                                         "#  if defined(__CUDACC__)",
                                         "#if defined ( __CUDA_ARCH__ ) && __CUDA_ARCH__ >= 800",
                                         "#if __CUDA_ARCH__ >= 700",
                                         "#if __CUDA_ARCH__ > 600 // Pascal",
                                         "#if __CUDA_ARCH__",
                                         "#ifdef __NVCC__ /* here */"};
    static const char *const seen[] = {"#ifndef __CUDA_ARCH__",
                                       "#if !defined(__CUDA_ARCH__)",
                                       "#if __CUDA_ARCH__ < 700",
                                       "#if __CUDA_ARCH__ == 0",
                                       "#if defined(__CUDA_ARCH__) || defined(HERE)",
                                       "#ifdef __CUDA_ARCH__OTHER",
                                       "#if HERE"};
    char text[200];
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        snprintf(text, sizeof text, "%s\nasm(\"x\");\n#else\nint b;\n#endif\n", hidden[i]);
        expect_unchanged(text);
        snprintf(text, sizeof text, "%s\nasm(\"x\");\n#endif\n", seen[i]);
        expect_refused(text, "k.cu:2: simt has no inline PTX (asm)");
    }
}
END_TEST

START_TEST(translates_launches) {
    expect("k<<<1, 2>>>(x, y);", "::simt::launcher{\"k\", ::simt::configuration(1, 2), [&](auto &...simt_arguments) { "
                                 "k(simt_arguments...); }}(x, y);");
    expect("a::k<T, (1 > 2), f<3>><<<dim3(1, 2), g<4>(h[5]), 6, s>>>();",
           "::simt::launcher{\"a::k\", ::simt::configuration(dim3(1, 2), g<4>(h[5]), 6, s), [&](auto "
           "&...simt_arguments) { a::k<T, (1 > 2), f<3>>(simt_arguments...); }}();");
    expect("if (x) table.kernels[i]<<<g, b>>>(x); else return;",
           "if (x) ::simt::launcher{\"table.kernels[i]\", ::simt::configuration(g, b), [&](auto &...simt_arguments) { "
           "table.kernels[i](simt_arguments...); }}(x); else return;");
    expect("k<<<n >> 3, 1 << 2>>>(m << 1);", "::simt::launcher{\"k\", ::simt::configuration(n >> 3, 1 << 2), [&](auto "
                                             "&...simt_arguments) { k(simt_arguments...); }}(m << 1);");
    expect("e = cudaLaunchKernelEx(&c, ns::k<T, 4>, in, out);", "e = simt_launch_ex(\"k\", &c, ns::k<T, 4>, in, out);");
    expect("cudaLaunchKernelEx(get(a, b), sum<T>, in);", "simt_launch_ex(\"sum\", get(a, b), sum<T>, in);");
}
END_TEST

START_TEST(translates_cooperative_launches) {
    static const struct {
        const char *source, *expected;
    } KERNELS[] = {
        {"k", "\"k\", k"},
        {"(void *)k", "\"k\", k"},
        {"( const void* )n::k<256, (a > b)>", "\"k\", n::k<256, (a > b)>"},
        {"(void const *)&k", "\"k\", &k"},
        {"(void *)(k<T>)", "\"k\", (k<T>)"},
        {"reinterpret_cast<void *>(&k<T>)", "\"k\", (&k<T>)"},
        {"static_cast<const void *>(k)", "\"k\", (k)"},
        {"kernels[i]", "\"kernels\", kernels[i]"},
        {"(pick)", "\"pick\", (pick)"},
        {"(void (*)(float *))k", "\"void\", (void (*)(float *))k"},
    };
    char source[200], expected[200];
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        snprintf(source, sizeof source, "CHECK(cudaLaunchCooperativeKernel(%s, g, b, a, 0, s));", KERNELS[i].source);
        snprintf(expected, sizeof expected, "CHECK(simt_launch_cooperative(%s, g, b, a, 0, s));", KERNELS[i].expected);
        expect(source, expected);
    }
    char message[512];
    char *output =
        run("cudaLaunchCooperativeKernel(\n(void\n*)\nk, g);\n#define L(k) cudaLaunchCooperativeKernel((void \\\n"
            "*)k, g)\n",
            message);
    ck_assert_str_eq(output + 15,
                     "simt_launch_cooperative(\"k\", \n\n\nk, g);\n#define L(k) simt_launch_cooperative(\"k\", "
                     "\\\nk, g)\n");
    free(output);
    expect_refused("\ncudaLaunchCooperativeKernel(1, g, b);",
                   "k.cu:2: simt does not understand which kernel is launched here");
}
END_TEST

START_TEST(translates_static_shared_memory) {
    expect("__global__ void k() { __shared__ float a[N][M + 1]; }",
           "__global__ void k() { typedef float simt_type_1[N][M + 1]; struct simt_site_1; auto &a = "
           "::simt::shared<simt_type_1, simt_site_1>(\"a\"); }");
    expect("void k() { f(); static __shared__ volatile T<A, 3> a[2], *b, c; }",
           "void k() { f(); typedef volatile T<A, 3> simt_type_1[2]; struct simt_site_1; auto &a = "
           "::simt::shared<simt_type_1, simt_site_1>(\"a\"); typedef volatile T<A, 3> *simt_type_2; struct "
           "simt_site_2; auto &b = ::simt::shared<simt_type_2, simt_site_2>(\"b\"); typedef volatile T<A, 3> "
           "simt_type_3; struct simt_site_3; auto &c = ::simt::shared<simt_type_3, simt_site_3>(\"c\"); }");
    expect("void k() { case 1: __shared__ alignas(16) unsigned char a[sizeof(int[4])]; }",
           "void k() { case 1: typedef __attribute__((aligned(16))) unsigned char simt_type_1[sizeof(int[4])]; struct "
           "simt_site_1; auto &a = ::simt::shared<simt_type_1, simt_site_1>(\"a\"); }");
}
END_TEST

START_TEST(translates_dynamic_shared_memory) {
    expect("namespace n { void k() { extern __shared__ double a[]; a[0] = 1; } }",
           "namespace n { void k() { typedef double simt_type_1[]; auto &a = ::simt::dynamic_shared<simt_type_1>(); "
           "a[0] = 1; } }");
    expect("extern __shared__ int a[]; void k(P &p) { a[1] = p.a + q->a; }",
           "typedef int simt_type_1[]; void k(P &p) { ::simt::dynamic_shared<simt_type_1>()[1] = p.a + q->a; }");
    expect("namespace n { __shared__ int a; } void k() { a++; }",
           "namespace n { typedef int simt_type_1; struct simt_site_1; } void k() { "
           "::simt::shared<simt_type_1, simt_site_1>(\"a\")++; }");
}
END_TEST

START_TEST(translates_macros) {
    char message[512];
    char *output = run("#define SUM(T) \\\n  __shared__ T a[2]; \\\n  k<T><<<1, \\\n 2>>>(a)\nint x;\n", message);
    ck_assert_msg(output, "%s", message);
    ck_assert_str_eq(output + 15,
                     "#define SUM(T) \\\n  typedef  T  simt_type_1[2]; struct simt_site_1; auto &a = "
                     "::simt::shared<simt_type_1, simt_site_1>(\"a\");  \\\n  ::simt::launcher{\"k\", "
                     "::simt::configuration(1, \\\n 2), [&](auto &...simt_arguments) { k<T>(simt_arguments...); }}(a)\n"
                     "int x;\n");
    free(output);
}
END_TEST

static int count_lines(const char *text) {
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

START_TEST(keeps_the_lines) {
    static const char SOURCE[] = "void k() {\n  __shared__ float // one\n a[2], /* two\n */ b;\n}\n"
                                 "void f() {\n ns\n::k\n<T,\n1><<<1,\n 2\n>>>(\nx);\n}\n";
    char message[512];
    char *output = run(SOURCE, message);
    ck_assert_msg(output, "%s", message);
    ck_assert_int_eq(count_lines(output) - 1, count_lines(SOURCE));
    ck_assert_ptr_nonnull(strstr(output, "x);\n}\n"));
    free(output);
}
END_TEST

// The path is a string of C there; in a sentence it stands as it is.
START_TEST(path_is_quoted) {
    char message[512], *output = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&output, &size);
    ck_assert_ptr_nonnull(out);
    ck_assert(translate("int a;", "a \"b\\c.cu", NULL, out, message, sizeof message));
    fclose(out);
    ck_assert_str_eq(output, "#line 1 \"a \\\"b\\\\c.cu\"\nint a;");
    free(output);
}
END_TEST

START_TEST(refuses_with_file_and_line) {
    expect_refused("int a;\n/*\n*/ asm volatile(\"x\");\n", "k.cu:3: simt has no inline PTX (asm)");
    expect_refused("\n#include <cub/cub.cuh>\n", "k.cu:2: simt has no CUB");
    expect_refused("\n\nlabeled_partition(g, 1);\n", "k.cu:3: simt has no groups made at run time (labeled_partition)");
    expect_refused("auto g = cg::this_cluster();", "k.cu:1: simt has no thread block clusters (this_cluster)");
    expect_refused("cudaLaunchKernel((void *)k, g, b, a, 0, s);",
                   "k.cu:1: simt has no launches by an untyped pointer (cudaLaunchKernel)");
    expect_refused("cudaLaunchKernelExC(&c, (void *)k, a);",
                   "k.cu:1: simt has no launches by an untyped pointer (cudaLaunchKernelExC)");
    expect_refused("auto g = cg::this_multi_grid();", "k.cu:1: simt has no grids of several devices (this_multi_grid)");
    expect_refused("cudaLaunchCooperativeKernelMultiDevice(l, 2);",
                   "k.cu:1: simt has no grids of several devices (cudaLaunchCooperativeKernelMultiDevice)");
    expect_refused("\ncudaStreamBeginCapture(s, mode);", "k.cu:2: simt has no graphs (cudaStreamBeginCapture)");
    expect_refused("texture<float, 1> t;", "k.cu:1: simt has no textures");
    expect_refused("x = cub::BlockReduce<T, 1>(s);", "k.cu:1: simt has no CUB");
    expect_refused("void k() {\n __shared__ int a = 3;\n}",
                   "k.cu:2: simt has no initialisers of __shared__ variables, nor has CUDA");
    expect_refused("void k() {\n __shared__ int (*a)[3];\n}",
                   "k.cu:2: simt does not understand this __shared__ declaration");
    expect_refused("\nk<<<1, 2>>>;\n", "k.cu:2: simt does not understand this launch: no >>> ( closes it");
    expect_refused("x = 3 <<< 2;", "k.cu:1: simt does not understand which kernel is launched here");
    expect_unchanged("int texture, cub; p.asm_ = p.texture; object.surface();");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("translate");
    TCase *tests = tcase_create("translate");
    tcase_add_test(tests, leaves_comments_strings_and_shifts_alone);
    tcase_add_test(tests, leaves_what_the_preprocessor_hides);
    tcase_add_test(tests, translates_launches);
    tcase_add_test(tests, translates_cooperative_launches);
    tcase_add_test(tests, translates_static_shared_memory);
    tcase_add_test(tests, translates_dynamic_shared_memory);
    tcase_add_test(tests, translates_macros);
    tcase_add_test(tests, keeps_the_lines);
    tcase_add_test(tests, path_is_quoted);
    tcase_add_test(tests, refuses_with_file_and_line);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
