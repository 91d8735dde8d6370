// SPDX-License-Identifier: MIT
#include "harness/simt/runtime.h"

static const struct {
    int error;
    const char *name, *text;
} ERRORS[] = {
    {SIMT_SUCCESS, "cudaSuccess", "no error"},
    {SIMT_ERROR_INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument"},
    {SIMT_ERROR_MEMORY_ALLOCATION, "cudaErrorMemoryAllocation", "out of memory"},
    {SIMT_ERROR_INVALID_CONFIGURATION, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {SIMT_ERROR_INVALID_DEVICE, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {SIMT_ERROR_LAUNCH_FAILURE, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {SIMT_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "cudaErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"},
    {SIMT_ERROR_NOT_SUPPORTED, "cudaErrorNotSupported", "operation not supported"},
    {SIMT_ERROR_UNKNOWN, "cudaErrorUnknown", "unknown error"},
};

static int last_error;

int simt_note_error(int error) {
    if (error != SIMT_SUCCESS)
        last_error = error;
    return error;
}

int simt_last_error(int forget) {
    int error = last_error;
    if (forget)
        last_error = SIMT_SUCCESS;
    return error;
}

static int find(int error) {
    for (int i = 0; i < (int)(sizeof ERRORS / sizeof *ERRORS); i++) {
        if (ERRORS[i].error == error)
            return i;
    }
    return -1;
}

const char *simt_error_name(int error) {
    return find(error) < 0 ? "cudaErrorUnknown" : ERRORS[find(error)].name;
}
const char *simt_error_string(int error) {
    return find(error) < 0 ? "unknown error" : ERRORS[find(error)].text;
}
