# SPDX-License-Identifier: MIT
"""JAX's sums on the CPU and on the GPU, compiled by XLA for each n. Nothing is documented of their order, so nothing is
claimed of it. An array's address on the device is JAX's own choice.

On the CPU JAX flushes subnormals, and says so: "JAX - The Sharp Bits", the note on subnormals of
https://github.com/jax-ml/jax/pull/26668; https://github.com/jax-ml/jax/issues/16200 calls it intended. On the GPU a
scatter-add of f32 is an atomic addition on global memory, which flushes too (PTX ISA, `red`)."""
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # several programs share one GPU
os.environ.setdefault("JAX_ENABLE_X64", "true")

import jax  # noqa: E402, after its settings
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402

from reductio_exec import Row, device_number, why_not  # noqa: E402


@jax.jit
def sum_of(array):
    return jnp.sum(array)


@jax.jit
def cumsum_last(array):
    return jnp.cumsum(array)[-1] if array.size else jnp.zeros((), array.dtype)


@jax.jit
def scatter_add(array):
    return jnp.zeros(1, array.dtype).at[jnp.zeros(array.size, jnp.int32)].add(array)[0]


SUMS = [
    ("sum", sum_of, "jax.numpy.sum"),
    ("cumsum_last", cumsum_last, "the last element of jax.numpy.cumsum"),
    ("scatter_add", scatter_add, "zeros(1).at[...].add: all elements to one"),
]


def pick_device(platform):
    return jax.devices(platform)[device_number() if platform == "gpu" else 0]


def find_device(platform):
    """A device and no reason, or the reason why there is none."""
    absent = why_not(lambda: sum_of(jax.device_put(numpy.ones(3), pick_device(platform))).block_until_ready())
    return (None, absent) if absent else (pick_device(platform), None)


def flushes(prefix, name, kind):
    return not prefix or (name == "scatter_add" and kind == "f32")


def rows_on(prefix, where, device, absent, kind):
    return [Row(prefix + name, kind,
                lambda x, function=function: function(jax.device_put(x.numpy(), device)),
                {"keeps_subnormals": False} if flushes(prefix, name, kind) else None, summary + where,
                absent=absent) for name, function, summary in SUMS]


def describe():
    cpu, _ = find_device("cpu")
    gpu, absent = find_device("gpu")
    return {
        "name": "jax",
        "library": "JAX " + jax.__version__,
        "device": gpu.device_kind if gpu else "CPU",
        "rows": [row for kind in ("f32", "f64")
                 for row in rows_on("", ", on the CPU", cpu, None, kind) +
                 rows_on("gpu.", ", on the GPU", gpu, absent, kind)],
    }
