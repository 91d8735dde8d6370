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
    """Every claim holds. XLA's CPU backend flushes subnormals, which no bound allows and no claim of ours grants."""
    done = adapter.run("check", "--json", "check.json")
    if done.returncode == SKIPPED:
        skip(done.stderr.strip())
    wanted = 1 if adapter.name == "jax" else 0
    assert done.returncode == wanted, "exit code %d\n%s%s" % (done.returncode, done.stdout, done.stderr)
    heads = {cell["head"] for cell in adapter.record("check.json")["cells"] if cell["broken"]}
    assert heads == ({"flushed"} if wanted else set()), heads


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


def check_torch_orders(adapter):
    loop = adapter.order("torch.cumsum_last", 40)  # at::acc_type<float, false> is double
    assert (loop["kind"], loop["arithmetic"], loop["height"]) == ("wide tree", "f64", 39), loop
    assert adapter.order("torch.index_add", 40)["height"] == 39


def check_numba_orders(adapter):
    assert adapter.order("numba.loop", 40)["height"] == 39


def main(reductio, sums, name, scratch):
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
