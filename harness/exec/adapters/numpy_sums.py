# SPDX-License-Identifier: MIT
"""NumPy's sums on the CPU.

add.reduce along the fast axis is pairwise: blocks of 128 are summed in 8 accumulators, larger ones split in half at a
multiple of 8 (numpy/_core/src/umath/loops_utils.h.src, @TYPE@_pairwise_sum). Older versions add the pairwise sum of all
elements but the first to the first. Along another axis, and in cumsum, each element is added to the last sum. With
another dtype the array is converted in pieces of 8192 elements, whose sums are added one after the other."""
import numpy

from reductio_exec import Row

BLOCK, ACCUMULATORS = 128, 8
KINDS = {"f32": numpy.float32, "f64": numpy.float64}


def pairwise_height(n):
    if n < ACCUMULATORS:
        return max(n - 1, 0)
    if n <= BLOCK:
        return n // ACCUMULATORS - 1 + 3 + n % ACCUMULATORS
    half = n // 2 - n // 2 % ACCUMULATORS
    return 1 + max(pairwise_height(half), pairwise_height(n - half))


def reduce_height(n):
    return max(pairwise_height(n), 1 + pairwise_height(n - 1)) if n > 1 else 0


def converted_height(n):
    piece = numpy.getbufsize()
    return min(-(-n // piece) + reduce_height(min(n, piece)), n - 1) if n else 0


def loop_height(n):
    return max(n - 1, 0)


def cumsum_last(x):
    return numpy.cumsum(x.numpy())[-1] if x.n else 0.0


def dot_ones(x):
    array = x.numpy()
    return numpy.dot(array, numpy.ones(x.n, dtype=array.dtype))


def sum_axis0(x):
    array = x.numpy()
    return numpy.stack((array, array), axis=1).sum(axis=0)[0]


def sum_f64(x):
    return numpy.sum(x.numpy(), dtype=numpy.float64)


def sum_f64_rounded(x):
    with numpy.errstate(over="ignore"):
        return numpy.float32(sum_f64(x))


def claims(accuracy, **more):
    return dict({"accuracy": accuracy, "same_bits": ["run"], "keeps_subnormals": True, "specials": True, "empty": True},
                **more)


def typed_rows(kind):
    pairwise = {"claims": claims("height"), "height": reduce_height, "places": True}
    return [
        Row("sum", kind, lambda x: numpy.sum(x.numpy()), summary="numpy.sum: pairwise, 8 accumulators", **pairwise),
        Row("add_reduce", kind, lambda x: numpy.add.reduce(x.numpy()), summary="numpy.add.reduce: what numpy.sum calls",
            **pairwise),
        Row("cumsum_last", kind, cumsum_last, claims("height"), "the last element of numpy.cumsum: a loop",
            height=loop_height, places=True),
        Row("sum_axis0", kind, sum_axis0, claims("height"), "numpy.sum over the slow axis of a matrix: a loop",
            height=loop_height),
        Row("dot_ones", kind, dot_ones, summary="numpy.dot with ones: the BLAS that NumPy was built with", places=True),
    ]


def describe():
    numpy.seterr(all="ignore")  # warnings of overflow would be printed, and judged they are anyway
    accumulated = {"height": converted_height, "places": True, "summary": "numpy.sum(dtype=float64) of float32"}
    return {
        "name": "numpy",
        "library": "NumPy " + numpy.__version__,
        "device": "CPU",
        "rows": typed_rows("f32") + typed_rows("f64") + [
            Row("sum_f64", "f32:f64", sum_f64, claims("height"), **accumulated),
            Row("sum_f64", "f32", sum_f64_rounded, claims("wide accumulator"), **accumulated),
        ],
    }
