// SPDX-License-Identifier: MIT
// What the fake program and its tests agree on.
#ifndef REDUCTIO_FAKE_PROGRAM_H
#define REDUCTIO_FAKE_PROGRAM_H

enum {
    FAKE_N = 7,             // elements of the request that it goes wrong on
    FAKE_LARGE_N = 1 << 20, // of one that no pipe holds
};

#endif
