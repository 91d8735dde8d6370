// SPDX-License-Identifier: MIT
#include "harness/backend.h"

#include <cuda_runtime.h>

#include <cub/version.cuh>

#include <stdio.h>
#include <string.h>

#ifndef REDUCTIO_FLAGS
#define REDUCTIO_FLAGS "not recorded"
#endif

enum { LINES = 9, LINE_TEXT = 512 };

static void describe_gpu(char *text) {
    int device = 0;
    cudaDeviceProp properties;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
        snprintf(text, LINE_TEXT, "unknown");
        return;
    }
    snprintf(text, LINE_TEXT, "%s, compute capability %d.%d, %d multiprocessors, %zu MiB", properties.name,
             properties.major, properties.minor, properties.multiProcessorCount, properties.totalGlobalMem >> 20);
}

static void describe_attribute(char *text, cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    if (cudaGetDevice(&device) == cudaSuccess && cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess)
        snprintf(text, LINE_TEXT, "%d", value);
    else
        snprintf(text, LINE_TEXT, "unknown");
}

// "2: NVIDIA H200, NVIDIA H200": how many there are, then their names.
static void describe_devices(char *text) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        count = 0;
    size_t used = size_t(snprintf(text, LINE_TEXT, "%d", count));
    for (int device = 0; device < count; device++) {
        cudaDeviceProp properties;
        if (used < LINE_TEXT && cudaGetDeviceProperties(&properties, device) == cudaSuccess)
            used += size_t(snprintf(text + used, LINE_TEXT - used, "%s %s", device ? "," : ":", properties.name));
    }
}

// "NVRM version: NVIDIA UNIX ... Kernel Module  580.95.05  ..." in the first line: the first word that starts with
// three digits and a dot.
static void describe_driver(char *text) {
    char line[LINE_TEXT] = "";
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    if (file) {
        if (!fgets(line, sizeof line, file))
            line[0] = 0;
        fclose(file);
    }
    for (const char *word = strtok(line, " \t\n"); word; word = strtok(nullptr, " \t\n"))
        if (strspn(word, "0123456789") == 3 && word[3] == '.') {
            snprintf(text, LINE_TEXT, "%s", word);
            return;
        }
    snprintf(text, LINE_TEXT, "unknown");
}

static void describe_version(char *text, cudaError_t (*get)(int *)) {
    int version = 0;
    if (get(&version) == cudaSuccess)
        snprintf(text, LINE_TEXT, "%d.%d", version / 1000, version % 1000 / 10);
    else
        snprintf(text, LINE_TEXT, "unknown");
}

bool backend_environment(int index, const char **key, const char **value) {
    static const char *const keys[LINES] = {"gpu",  "devices", "multiprocessors", "driver", "driver_cuda",
                                            "cuda", "cccl",    "compiler",        "flags"};
    static char text[LINE_TEXT];
    if (index < 0 || index >= LINES)
        return false;
    switch (index) {
    case 0:
        describe_gpu(text);
        break;
    case 1:
        describe_devices(text);
        break;
    case 2:
        describe_attribute(text, cudaDevAttrMultiProcessorCount);
        break;
    case 3:
        describe_driver(text);
        break;
    case 4:
        describe_version(text, cudaDriverGetVersion);
        break;
    case 5:
        describe_version(text, cudaRuntimeGetVersion);
        break;
    case 6:
        snprintf(text, LINE_TEXT, "%d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
        break;
    case 7:
        snprintf(text, LINE_TEXT, "nvcc %d.%d.%d", __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
        break;
    default:
        snprintf(text, LINE_TEXT, "%s", REDUCTIO_FLAGS);
    }
    *key = keys[index];
    *value = text;
    return true;
}
