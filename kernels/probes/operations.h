// SPDX-License-Identifier: MIT
// What hardware_probe can be asked for: the first element of its input is one of these numbers, the others are the
// operands.
#ifndef REDUCTIO_KERNELS_PROBES_OPERATIONS_H
#define REDUCTIO_KERNELS_PROBES_OPERATIONS_H

enum probe_operation {
    PROBE_ADD,           // (a + b) + c + ... in a register
    PROBE_MULTIPLY_ADD,  // a * b + c, written as a product and a sum
    PROBE_GLOBAL_ATOMIC, // a stored in global memory, then b, c, ... added to it by atomicAdd
    PROBE_SHARED_ATOMIC, // the same in shared memory
    PROBE_MOVE           // a through shared memory and a shuffle
};

#endif
