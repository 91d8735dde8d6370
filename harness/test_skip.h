// SPDX-License-Identifier: MIT
// A Check test that cannot be made on the machine at hand says so, where one that merely returned would count as
// passed.
#ifndef REDUCTIO_TEST_SKIP_H
#define REDUCTIO_TEST_SKIP_H

#include <stdio.h>

// Leaves the test function that it stands in. The reason is a clause: "this compiler has no sanitizers".
#define SKIP_TEST(reason)                                                                                              \
    do {                                                                                                               \
        fprintf(stderr, "skipped: %s: %s.\n", __func__, (reason));                                                     \
        return;                                                                                                        \
    } while (0)

#endif
