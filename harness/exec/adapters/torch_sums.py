# SPDX-License-Identifier: MIT
"""PyTorch's sums on the CPU and on the GPU.

What is claimed of their bits is what PyTorch documents: torch.use_deterministic_algorithms lists the operations that
may give other bits from run to run. torch.sum is not among them; cumsum and index_add_ on a CUDA tensor are.

Of accumulators the documentation says nothing, and so nothing is claimed. By the source, torch.sum adds 16-bit numbers
in float and rounds once (at::acc_type in aten/src/ATen/native/cpu/SumKernel.cpp; native/cuda/ReduceSumProdKernel.cu),
but where threads of the CPU share the work, from 32768 elements on, their parts are kept in the type of the result
(two_pass_reduction in native/TensorIteratorReduce.cpp). cumsum adds in at::acc_type on the CPU as well. index_add_
adds in the tensor's own type."""
import torch

from reductio_exec import Row, device_number, why_not

DOCUMENTATION = "PyTorch documentation, torch.use_deterministic_algorithms"
TYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16}


def cpu_tensor(x):
    array = x.numpy()
    return torch.from_numpy(array.view("int16") if x.dtype == "bf16" else array).view(TYPES[x.dtype])


def cuda_tensor(x):
    """On the device, as far past an aligned address as the input is here: the allocator aligns to 512 bytes."""
    room = torch.empty(x.offset + x.n, dtype=TYPES[x.dtype], device="cuda")
    return room[x.offset:].copy_(cpu_tensor(x))


def sum_of(tensor):
    return torch.sum(tensor).item()


def cumsum_last(tensor):
    return torch.cumsum(tensor, 0)[-1].item() if len(tensor) else 0.0


def index_add(tensor):
    index = torch.zeros(len(tensor), dtype=torch.int64, device=tensor.device)
    return torch.zeros(1, dtype=tensor.dtype, device=tensor.device).index_add_(0, index, tensor).item()


def index_add_deterministic(tensor):
    torch.use_deterministic_algorithms(True)
    try:
        return index_add(tensor)
    finally:
        torch.use_deterministic_algorithms(False)


SUMS = [
    ("sum", sum_of, "torch.sum"),
    ("cumsum_last", cumsum_last, "the last element of torch.cumsum"),
    ("index_add", index_add, "index_add_ of all elements to one"),
]
FIXED = {"same_bits": ["run"]}


def cpu_rows(kind):
    return [Row(name, kind, lambda x, function=function: function(cpu_tensor(x)), FIXED, summary + ", on the CPU",
                DOCUMENTATION, places=True) for name, function, summary in SUMS]


def cuda_rows(kind, absent):
    flushing = {"keeps_subnormals": False} if kind == "f32" else {}  # atomicAdd on global memory (PTX ISA, `red`)
    claims = {"sum": FIXED, "cumsum_last": None, "index_add": flushing, "index_add_deterministic": FIXED}
    sums = SUMS + [("index_add_deterministic", index_add_deterministic,
                    "index_add_ of all elements to one, under use_deterministic_algorithms(True)")]
    return [Row("cuda." + name, kind, lambda x, function=function: function(cuda_tensor(x)), claims[name],
                summary + ", on the GPU", DOCUMENTATION, places=True, absent=absent)
            for name, function, summary in sums]


def try_cuda():
    torch.cuda.set_device(device_number())
    torch.ones(3, device="cuda").sum().item()


def describe():
    absent = why_not(try_cuda) if torch.cuda.is_available() else "PyTorch sees no CUDA device."
    environment = {"threads": str(torch.get_num_threads())}
    device = "CPU"
    if not absent:
        device = torch.cuda.get_device_name()
        environment["cuda"] = torch.version.cuda
    return {
        "name": "torch",
        "library": "PyTorch " + torch.__version__,
        "device": device,
        "environment": environment,
        "rows": [row for kind in TYPES for row in cpu_rows(kind) + cuda_rows(kind, absent)],
    }
