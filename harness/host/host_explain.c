// SPDX-License-Identifier: MIT
// What a backend without memory of its own kinds can say of addresses and poison: harness/backend.h for host and exec.
#include "harness/host/host_memory.h"

bool backend_explain_address(const void *address, char *message) {
    message[0] = 0;
    return host_explain(address, message, BACKEND_MESSAGE);
}

bool backend_trace_poison(uint64_t bits, size_t size, char *message) {
    message[0] = 0;
    return host_trace(bits, size, message, BACKEND_MESSAGE) || host_trace_slack(bits, size, message, BACKEND_MESSAGE);
}

enum work_outcome backend_fault_so_far(char *message) {
    message[0] = 0;
    return WORK_DONE;
}
