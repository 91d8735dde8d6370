# SPDX-License-Identifier: MIT
"""Loops compiled by Numba for the CPU, and its reduction for the GPU."""
import os

os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")  # small arrays are meant

import numpy  # noqa: E402

if not hasattr(numpy, "row_stack"):  # gone from NumPy 2.5, and looked up by numba-cuda when it compiles
    numpy.row_stack = numpy.vstack

import numba  # noqa: E402
from numba import cuda  # noqa: E402

from reductio_exec import Row, device_number, why_not  # noqa: E402


def add_one_by_one(array):
    total = array.dtype.type(0)
    for i in range(len(array)):  # LLVM keeps the order of "for value in array", fastmath or not
        total += array[i]
    return total


loop = numba.njit(add_one_by_one)
loop_fastmath = numba.njit(fastmath=True)(add_one_by_one)


@numba.njit(parallel=True)
def loop_parallel(array):
    total = array.dtype.type(0)
    for i in numba.prange(len(array)):
        total += array[i]
    return total


def reduce_add(a, b):
    return a + b


cuda_reduce = cuda.reduce(reduce_add)  # compiled where it is first called


def reduce_placed(x):
    """On the device, as far past an aligned address as the input is here."""
    array = x.numpy()
    room = cuda.device_array(x.offset + x.n + 1, array.dtype)[x.offset:x.offset + x.n]
    if x.n:
        room.copy_to_device(array)
    return cuda_reduce(room)


def try_cuda():
    cuda.select_device(device_number())
    cuda_reduce(cuda.to_device(numpy.ones(3)))


def cpu_rows(kind):
    fixed = {"accuracy": "height", "same_bits": ["run", "placement"], "keeps_subnormals": True, "specials": True,
             "empty": True}
    return [
        Row("loop", kind, lambda x: loop(x.numpy()), fixed, "@njit: one addition after the other",
            height=lambda n: max(n - 1, 0), places=True),
        Row("loop_fastmath", kind, lambda x: loop_fastmath(x.numpy()), None,
            "@njit(fastmath=True): LLVM may choose the order", places=True),
        Row("loop_parallel", kind, lambda x: loop_parallel(x.numpy()), None,
            "@njit(parallel=True): a loop a thread, then their sums", places=True),
    ]


def describe():
    absent = why_not(try_cuda) if cuda.is_available() else "Numba sees no CUDA device."
    reduce_rows = [Row("cuda.reduce", kind, reduce_placed, None, "numba.cuda.reduce of a + b", places=True,
                       absent=absent) for kind in ("f32", "f64")]
    device = "CPU" if absent else cuda.gpus[device_number()].name
    return {
        "name": "numba",
        "library": "Numba " + numba.__version__,
        "device": device.decode() if isinstance(device, bytes) else device,
        "environment": {"threads": str(numba.get_num_threads())},
        "rows": cpu_rows("f32") + cpu_rows("f64") + reduce_rows,
    }
