# SPDX-License-Identifier: MIT
"""An adapter that ships, through the gate and into its order: test_adapters.py REDUCTIO SUMS_PY NAME SCRATCH.

Exit code 77 where the library, or the device that it wants, is not here. What must be found comes from the libraries'
own sources: see the adapters."""
import json
import os
import subprocess
import sys

SKIPPED = 77
MODULES = {"fsum": "math"}


def skip(why):
    print(why)
    sys.exit(SKIPPED)


class Adapter:
    def __init__(self, reductio, sums, name, scratch):
        self.name, self.reductio, self.scratch = name, reductio, scratch
        self.command = "'%s' '%s' %s" % (sys.executable, sums, name)

    def run(self, *arguments):
        return subprocess.run([self.reductio, *arguments, "--exec", self.command, "--quiet"], cwd=self.scratch,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def record(self, path):
        with open(os.path.join(self.scratch, path)) as file:
            return json.load(file)

    def order(self, row, n, kind="f32"):
        done = self.run("order", row, "--type", kind, "-n", str(n), "--json", "order.json")
        assert done.returncode == 0, done.stdout + done.stderr
        return self.record("order.json")["orders"][0]


def check_claims(adapter):
    """Every claim holds; XLA's CPU backend flushes subnormals, as JAX says."""
    done = adapter.run("check", "--json", "check.json")
    if done.returncode == SKIPPED:
        skip(done.stderr.strip())
    assert done.returncode == 0, "exit code %d\n%s%s" % (done.returncode, done.stdout, done.stderr)
    run = adapter.record("check.json")
    lost = {run["variants"][cell["variant"]]["name"] for cell in run["cells"]
            if cell["dataset"] is not None and run["datasets"][cell["dataset"]]["values"] == "subnormals"
            and cell["has_result"] and float(cell["got_decimal"]) == 0 != float(cell["rounded_decimal"])}
    on_cpu = {"jax.sum", "jax.cumsum_last", "jax.scatter_add"} if adapter.name == "jax" else set()
    on_gpu = {name for name in lost if name.startswith(("jax.gpu.", "torch.cuda.", "cupy."))}
    assert lost - on_gpu == on_cpu, lost


def check_numpy_orders(adapter):
    # 128 elements in 8 accumulators: 15 additions, 3 to merge them; 1024 of them halve 3 times.
    assert adapter.order("numpy.sum", 1024)["height"] in (21, 22)  # 22: older versions begin with the first element
    assert adapter.order("numpy.cumsum_last", 40)["height"] == 39
    assert adapter.order("numpy.sum_axis0", 40)["height"] == 39
    wide = adapter.order("numpy.sum_f64", 64)
    assert (wide["kind"], wide["arithmetic"]) == ("wide tree", "f64"), wide


def check_fsum_orders(adapter):
    assert adapter.order("python.fsum", 24, "f64")["kind"] == "exact"
    compensated = sys.version_info >= (3, 12)
    assert adapter.order("python.sum", 24, "f64")["kind"] == ("compensated" if compensated else "tree")


def check_torch_16_bits(adapter):
    """float inside torch.sum and cumsum, the tensor's own type inside index_add_, which therefore stalls."""
    for kind in "f16", "bf16":
        for row, height in ("torch.sum", None), ("torch.cumsum_last", 39):
            wide = adapter.order(row, 40, kind)
            assert (wide["kind"], wide["arithmetic"]) == ("wide tree", "f32"), wide
            assert height in (None, wide["height"]), wide
        own = adapter.order("torch.index_add", 40, kind)
        assert (own["kind"], own["arithmetic"], own["height"]) == ("tree", kind, 39), own
    stalls = [cell for cell in adapter.record("check.json")["cells"] if "It stalls at 256: " in cell.get("detail", "")]
    assert any(cell["id"].startswith("torch.index_add@exec/bf16/ones/") for cell in stalls), stalls
    assert not any(cell["id"].startswith("torch.sum@") for cell in stalls), stalls


def check_torch_orders(adapter):
    loop = adapter.order("torch.cumsum_last", 40)  # at::acc_type<float, false> is double
    assert (loop["kind"], loop["arithmetic"], loop["height"]) == ("wide tree", "f64", 39), loop
    assert adapter.order("torch.index_add", 40)["height"] == 39
    check_torch_16_bits(adapter)


def check_numba_orders(adapter):
    assert adapter.order("numba.loop", 40)["height"] == 39


def check_rounding(sums):
    """Results are rounded once, by hand: ties, both ends, and what two roundings would get wrong."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(sums)))
    from reductio_exec import bits_of
    infinity, nan = float("inf"), float("nan")
    for kind, value, bits in (
            ("f16", 1.0, 0x3c00), ("f16", 65519.99, 0x7bff), ("f16", 65520.0, 0x7c00), ("f16", -1e9, 0xfc00),
            ("f16", 2.0**-25, 0), ("f16", -3 * 2.0**-26, 0x8001), ("f16", infinity, 0x7c00),
            ("bf16", 1.0, 0x3f80), ("bf16", 1 + 2.0**-8, 0x3f80), ("bf16", 1 + 2.0**-8 + 2.0**-40, 0x3f81),
            ("bf16", 2.0**-134, 0), ("bf16", -3 * 2.0**-135, 0x8001), ("bf16", -2.0**-140, 0x8000),
            ("bf16", 2.0**128 - 2.0**119, 0x7f80), ("bf16", 2.0**128 - 2.0**120, 0x7f7f), ("bf16", -1e300, 0xff80),
            ("f32", 1 + 2.0**-24, 0x3f800000), ("f64", 1.0, 0x3ff0000000000000)):
        assert bits_of(value, kind) == bits, (kind, value, hex(bits_of(value, kind)))
    assert bits_of(nan, "f16") & 0x7fff > 0x7c00 and bits_of(nan, "bf16") & 0x7fff > 0x7f80


def main(reductio, sums, name, scratch):
    sys.dont_write_bytecode = True
    check_rounding(sums)
    os.makedirs(scratch, exist_ok=True)
    found = subprocess.run([sys.executable, "-c", "import " + MODULES.get(name, name)], stderr=subprocess.PIPE,
                           text=True)
    if found.returncode != 0:
        skip("%s is not here: %s" % (name, found.stderr.strip().split("\n")[-1]))
    adapter = Adapter(os.path.abspath(reductio), os.path.abspath(sums), name, scratch)
    check_claims(adapter)
    orders = {"numpy": check_numpy_orders, "fsum": check_fsum_orders, "torch": check_torch_orders,
              "numba": check_numba_orders}
    if name in orders:
        orders[name](adapter)


main(*sys.argv[1:])
