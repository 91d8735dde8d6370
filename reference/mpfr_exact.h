// SPDX-License-Identifier: MIT
// How the oracle proves its own exactness: every MPFR call that must not round hands its ternary value to
// require_exact. Internal to reference/.
#ifndef REDUCTIO_MPFR_EXACT_H
#define REDUCTIO_MPFR_EXACT_H

#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Aborts unless the ternary value says that the step was exact.
static inline void require_exact(int ternary, const char *step) {
    if (ternary != 0) {
        fprintf(stderr,
                "reductio: the exact sum rounded in step '%s' (ternary value %d): its precision is too small.\n", step,
                ternary);
        abort();
    }
}

// MPFR's exponent range, as wide as it goes between enter and leave, whatever the caller has set.
struct exponent_range {
    mpfr_exp_t emin, emax;
};

static inline struct exponent_range enter_full_exponent_range(void) {
    struct exponent_range saved = {mpfr_get_emin(), mpfr_get_emax()};
    if (mpfr_set_emin(mpfr_get_emin_min()) != 0 || mpfr_set_emax(mpfr_get_emax_max()) != 0) {
        fprintf(stderr, "reductio: MPFR refuses its own exponent range.\n");
        abort();
    }
    return saved;
}

static inline void leave_full_exponent_range(struct exponent_range saved) {
    if (mpfr_set_emin(saved.emin) != 0 || mpfr_set_emax(saved.emax) != 0) {
        fprintf(stderr, "reductio: MPFR refuses the exponent range that it had.\n");
        abort();
    }
}

#endif
