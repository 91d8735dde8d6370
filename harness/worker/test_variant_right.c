// SPDX-License-Identifier: MIT
// A right sum for the tests of the worker.
// Types: f32 f64 f32:f64
#include "harness/reductio.h"

static size_t workspace_bytes(size_t n, struct reductio_shape shape) {
    (void)shape;
    return n * sizeof(reductio_out);
}

static size_t height(size_t n, struct reductio_shape shape) {
    (void)shape;
    return n ? n - 1 : 0;
}

// Goes through its workspace, so that poison left there would show.
static int launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, struct reductio_shape shape,
                  void *stream) {
    (void)shape;
    (void)stream;
    reductio_out *prefix = workspace;
    for (size_t i = 0; i < n; i++)
        prefix[i] = (i ? prefix[i - 1] : 0) + (reductio_out)in[i];
    *out = n ? prefix[n - 1] : 0;
    return 0;
}

REDUCTIO_VARIANT(test_variant_right, .summary = "Left to right.", .workspace_bytes = workspace_bytes,
                 .shapes = {{1, 0}}, .claims = {.accuracy = REDUCTIO_HEIGHT, .height = height});
