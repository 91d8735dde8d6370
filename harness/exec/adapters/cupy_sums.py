# SPDX-License-Identifier: MIT
"""CuPy's sums on the GPU.

cupy.sum takes CUB's device-wide reduction, or a kernel of its own made with CUB's block reduction, or its plain one, as
its accelerators say (CUPY_ACCELERATORS); `sum` is the default, the others set them. cupy.add.at adds by atomics.

The kernels that CuPy makes itself, as its plain reduction, are compiled with -ftz=true whatever the caller asks
(_compile_with_cache_cuda in cupy/cuda/compiler.py; https://github.com/cupy/cupy/issues/9576): f32 subnormals are lost.
CUB's come compiled."""
import contextlib

import cupy
from cupy import _core

from reductio_exec import Row, device_number, why_not


def device_array(x):
    """As far past an aligned address as the input is here: the pool aligns to 512 bytes."""
    array = x.numpy()
    room = cupy.empty(x.offset + x.n, dtype=array.dtype)[x.offset:]
    room.set(array)
    return room


@contextlib.contextmanager
def accelerators(names):
    before = _core.get_reduction_accelerators(), _core.get_routine_accelerators()
    _core.set_reduction_accelerators(names)
    _core.set_routine_accelerators(names)
    try:
        yield
    finally:
        _core.set_reduction_accelerators(before[0])
        _core.set_routine_accelerators(before[1])


def sum_of(array):
    return float(cupy.sum(array))


def sum_cub(array):
    with accelerators(["cub"]):
        return sum_of(array)


def sum_plain(array):
    with accelerators([]):
        return sum_of(array)


def cumsum_last(array):
    return float(cupy.cumsum(array)[-1]) if array.size else 0.0


def add_at(array):
    if not array.size:
        return 0.0
    total = cupy.zeros(1, dtype=array.dtype)
    cupy.add.at(total, cupy.zeros(array.size, dtype=cupy.int64), array)
    return float(total[0])


SUMS = [
    ("sum", sum_of, "cupy.sum as it comes"),
    ("sum_cub", sum_cub, "cupy.sum with CUB"),
    ("sum_plain", sum_plain, "cupy.sum without accelerators"),
    ("cumsum_last", cumsum_last, "the last element of cupy.cumsum"),
    ("add_at", add_at, "cupy.add.at: all elements to one"),
]


def try_cuda():
    cupy.cuda.Device(device_number()).use()
    sum_of(cupy.ones(3))


def device_name():
    name = cupy.cuda.runtime.getDeviceProperties(device_number())["name"]
    return name.decode() if isinstance(name, bytes) else name


def describe():
    absent = why_not(try_cuda)
    flushing = {"keeps_subnormals": False}  # -ftz=true; atomicAdd on global memory (PTX ISA, `red`)
    return {
        "name": "cupy",
        "library": "CuPy " + cupy.__version__,
        "device": "none" if absent else device_name(),
        "rows": [Row(name, kind, lambda x, function=function: function(device_array(x)),
                     flushing if name in ("sum_plain", "add_at") and kind == "f32" else None, summary, places=True,
                     absent=absent)
                 for kind in ("f32", "f64") for name, function, summary in SUMS],
    }
