// SPDX-License-Identifier: MIT
// The part of the CUDA runtime that is no kernel's affair: errors, device queries, copies. Error numbers are CUDA's.
#ifndef REDUCTIO_SIMT_RUNTIME_H
#define REDUCTIO_SIMT_RUNTIME_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SIMT_SUCCESS = 0,
    SIMT_ERROR_INVALID_VALUE = 1,
    SIMT_ERROR_MEMORY_ALLOCATION = 2,
    SIMT_ERROR_INVALID_CONFIGURATION = 9,
    SIMT_ERROR_INVALID_DEVICE = 101,
    SIMT_ERROR_LAUNCH_FAILURE = 719,
    SIMT_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    SIMT_ERROR_NOT_SUPPORTED = 801,
    SIMT_ERROR_UNKNOWN = 999
};

// Remembers an error for cudaGetLastError and returns it.
int simt_note_error(int error);
int simt_last_error(int forget);
const char *simt_error_name(int error);
const char *simt_error_string(int error);

#ifdef __cplusplus
}
#endif
#endif
