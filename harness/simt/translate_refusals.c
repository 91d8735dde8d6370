// SPDX-License-Identifier: MIT
// What simt does not have, by the word that asks for it.
#include "harness/simt/translate.h"

#include <string.h>

static const struct {
    const char *word, *what;
} LACKS[] = {
    {"asm", "inline PTX (asm)"},
    {"__asm__", "inline PTX (asm)"},
    {"__asm", "inline PTX (asm)"},
    {"texture", "textures"},
    {"surface", "surfaces"},
    {"cudaTextureObject_t", "textures"},
    {"cudaSurfaceObject_t", "surfaces"},
    {"tex1D", "textures"},
    {"tex1Dfetch", "textures"},
    {"tex2D", "textures"},
    {"tex3D", "textures"},
    {"this_multi_grid", "grids of several devices (this_multi_grid)"},
    {"multi_grid_group", "grids of several devices (multi_grid_group)"},
    {"cudaLaunchCooperativeKernelMultiDevice", "grids of several devices (cudaLaunchCooperativeKernelMultiDevice)"},
    {"cudaLaunchKernel", "launches by an untyped pointer (cudaLaunchKernel)"},
    {"cudaStreamBeginCapture", "graphs (cudaStreamBeginCapture)"},
    {"cudaGraphLaunch", "graphs (cudaGraphLaunch)"},
    {"this_cluster", "thread block clusters (this_cluster)"},
    {"cluster_group", "thread block clusters (cluster_group)"},
    {"__cluster_dims__", "thread block clusters (__cluster_dims__)"},
    {"labeled_partition", "groups made at run time (labeled_partition)"},
    {"binary_partition", "groups made at run time (binary_partition)"},
    {"memcpy_async", "asynchronous copies (memcpy_async)"},
    {"__pipeline_memcpy_async", "asynchronous copies (__pipeline_memcpy_async)"},
    {"cub", "CUB"},
    {"thrust", "Thrust"},
    {"nvcuda", "matrix fragments (nvcuda::wmma)"},
    {"__shfl", "shuffles without _sync (__shfl)"},
    {"__shfl_up", "shuffles without _sync (__shfl_up)"},
    {"__shfl_down", "shuffles without _sync (__shfl_down)"},
    {"__shfl_xor", "shuffles without _sync (__shfl_xor)"},
    {"__ballot", "votes without _sync (__ballot)"},
    {"__any", "votes without _sync (__any)"},
    {"__all", "votes without _sync (__all)"},
    {"cudaLaunchKernelExC", "launches by an untyped pointer (cudaLaunchKernelExC)"},
};

static const struct {
    const char *start, *what;
} HEADERS[] = {
    {"cub/", "CUB"},
    {"thrust/", "Thrust"},
    {"cuda/", "libcu++"},
    {"nv/", "libcu++"},
    {"mma.h", "matrix fragments (nvcuda::wmma)"},
    {"cuda_fp8.h", "8-bit floating point (cuda_fp8.h)"},
    {"cuda_pipeline.h", "asynchronous copies (cuda_pipeline.h)"},
};

// Words that people also use for things of their own count only where they can mean CUDA's.
static bool means_cuda(const struct translation *translation, size_t at) {
    const struct tokens *tokens = &translation->tokens;
    const struct token *token = &tokens->token[at];
    size_t before = tokens_before(tokens, at), after = tokens_after(tokens, at);
    if (before < tokens->count && token_is(&tokens->token[before], "."))
        return false;
    bool space = token_is(token, "cub") || token_is(token, "thrust") || token_is(token, "nvcuda");
    bool template_name = token_is(token, "texture") || token_is(token, "surface");
    if (!space && !template_name)
        return true;
    const struct token *next = after < tokens->count ? &tokens->token[after] : NULL;
    if (template_name)
        return next && token_is(next, "<");
    bool used = before < tokens->count && token_is(&tokens->token[before], "namespace");
    return used || (next && token_is(next, ":"));
}

static void check_name(struct translation *translation, size_t at) {
    for (size_t i = 0; i < sizeof LACKS / sizeof *LACKS; i++) {
        if (token_is(&translation->tokens.token[at], LACKS[i].word) && means_cuda(translation, at))
            refuse(translation, &translation->tokens.token[at], "simt has no %s", LACKS[i].what);
    }
}

static void check_include(struct translation *translation, const struct token *token) {
    const char *end = token->text + token->length, *p = token->text + 1;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    if (end - p < 7 || strncmp(p, "include", 7) != 0)
        return;
    for (p += 7; p < end && *p != '<' && *p != '"';)
        p++;
    for (size_t i = 0; p < end && i < sizeof HEADERS / sizeof *HEADERS; i++) {
        size_t length = strlen(HEADERS[i].start);
        if ((size_t)(end - p - 1) > length && strncmp(p + 1, HEADERS[i].start, length) == 0)
            refuse(translation, token, "simt has no %s", HEADERS[i].what);
    }
}

void refuse_what_simt_lacks(struct translation *translation) {
    for (size_t i = 0; i < translation->tokens.count && !translation->failed; i++) {
        const struct token *token = &translation->tokens.token[i];
        if (token->kind == TOKEN_NAME)
            check_name(translation, i);
        else if (token->kind == TOKEN_DIRECTIVE)
            check_include(translation, token);
    }
}
