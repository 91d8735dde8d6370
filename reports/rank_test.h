// SPDX-License-Identifier: MIT
#ifndef REDUCTIO_RANK_TEST_H
#define REDUCTIO_RANK_TEST_H

#include <stddef.h>
#include <stdint.h>

// Mann & Whitney (1947), two-sided: the probability of ranks at least as uneven as those of a and b, were both samples
// drawn from one distribution. Exact where no two samples are equal and a_count · b_count <= 400, otherwise by the
// normal approximation with the correction for ties. 1 for an empty sample; -1 when memory is out. *shift: +1 if a's
// values tend to be larger, -1 if smaller, 0 if neither.
double rank_test(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count, int *shift);

#endif
