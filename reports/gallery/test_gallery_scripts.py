#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The gallery's scripts on records made by hand: what a tool's log means, what banks do, what advice costs."""
import contextlib
import io
import json
import os
import subprocess
import tempfile
import unittest
import unittest.mock

import advice
import bank_conflicts
import cpu
import cpu_tables
import orders
import processes
import sanitize
import tables

MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at sum_blocks(const float *, unsigned long, float *)+0x2a0
=========     by thread (1,0,0) in block (0,0,0)
=========     Address 0x7f5a2e000084 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f5a2e000000 of size 132 bytes
=========
========= Program hit cudaErrorLaunchFailure (error 719) due to "unspecified launch failure" on CUDA API call to cudaDeviceSynchronize.
========= ERROR SUMMARY: 2 errors
"""
RACECHECK = """========= Error: Race reported between Read access at sum_blocks(const float *)+0x1a0
=========     and Write access at sum_blocks(const float *)+0x1d0 [124 hazards]
=========
========= Warning: Race reported between Write access at a()+0x10
========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)
"""
CLEAN = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"


class Logs(unittest.TestCase):
    def test_counts_and_kinds(self):
        found = sanitize.read_log(MEMCHECK, "memcheck")
        self.assertEqual(found["errors"], 2)
        self.assertIn("Invalid __global__ read", found["reports"][0][0])
        found = sanitize.read_log(RACECHECK, "racecheck")
        self.assertEqual((found["errors"], found["warnings"]), (1, 1))
        self.assertEqual(sanitize.read_log(CLEAN, "initcheck")["errors"], 0)
        self.assertIsNone(sanitize.read_log("killed", "memcheck"))

    def test_words_of_the_table(self):
        found = dict(sanitize.read_log(RACECHECK, "racecheck"), verdict="found")
        self.assertEqual(tables.tool_text(found), "race: 1")
        self.assertEqual(tables.tool_text({"verdict": "clean", "errors": 0}), "clean")
        self.assertEqual(tables.tool_text({"verdict": "out of time"}), "out of time")


class Sanitizer(unittest.TestCase):
    """run_one with a stub in compute-sanitizer's place, which prints a summary and ends as it is told."""

    def verdict(self, summary, code, planted=None, tool="memcheck"):
        with tempfile.TemporaryDirectory() as folder:
            stub = os.path.join(folder, "compute-sanitizer")
            with open(stub, "w", encoding="utf-8") as out:
                out.write("#!/bin/sh\ncat <<'END'\nno kernel was launched\n%sEND\nexit %d\n" % (summary, code))
            os.chmod(stub, 0o755)
            row = {"variant": "kahan", "type": "f32", "fault_finding": planted}
            with unittest.mock.patch.dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"]):
                return sanitize.run_one("reductio-launch-cuda", row, tool, 60)

    def test_a_launch_that_fails_is_not_clean(self):
        self.assertEqual(self.verdict(CLEAN, 0)["verdict"], "clean")
        failed = self.verdict(CLEAN, 1)
        self.assertEqual((failed["verdict"], failed["exit_code"], failed["errors"]), ("failed", 1, 0))
        self.assertIn("no kernel was launched", failed["log"])
        self.assertEqual(tables.tool_text(failed), "failed")
        self.assertEqual(self.verdict(CLEAN, 1, planted="raced")["verdict"], "clean")

    def test_what_was_found_counts_more_than_the_end(self):
        self.assertEqual(self.verdict(MEMCHECK, 1)["verdict"], "found")
        warned = RACECHECK.replace("1 error,", "0 errors,")
        self.assertEqual(self.verdict(warned, 0, tool="racecheck")["verdict"], "warned")
        self.assertEqual(self.verdict(warned, 1, tool="racecheck")["verdict"], "failed")
        self.assertEqual(self.verdict("killed\n", 9)["verdict"], "failed")


class Processes(unittest.TestCase):
    def test_a_tool_that_is_late_takes_its_program_along(self):
        # the shell's child holds the pipe open: unless it is killed as well, reading would last 60 s
        output, code = processes.run_whole_group(["sh", "-c", "echo started; sleep 60 & wait"], 0.5)
        self.assertEqual((output, code), ("started\n", None))
        self.assertEqual(processes.run_whole_group(["sh", "-c", "echo done; exit 3"], 20), ("done\n", 3))


def framework_run(head, detail, broken, observed, status):
    """One row of a program with one cell as told and three good ones."""
    claims = [{"claim": "sound", "status": "held"},
              {"claim": "accuracy", "status": "held", "value": "any order (not claimed)"}]
    claims += [{"claim": "same bits: " + kind, "status": status, "observed": observed}
               for kind in ("run", "placement", "order")]
    return {
        "environment": {"exec.lib.library": "Lib 1.0", "exec.lib.device": "CPU", "exec.lib.threads": "2"},
        "variants": [{"name": "lib.sum", "type": "f32", "backend": "exec", "worst_error_over_bound": "0.5",
                      "claims": claims}],
        "datasets": [{"values": "tiny"}],
        "cells": [{"variant": 0, "dataset": 0, "head": head, "detail": detail, "broken": broken,
                   "error_over_uA": "99" if broken else "3"}] +
                 [{"variant": 0, "dataset": 0, "head": "within bound", "broken": [], "error_over_uA": error}
                  for error in ("0.25", "nan", "3")],
    }


class Frameworks(unittest.TestCase):
    def table(self, *run):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            tables.print_frameworks(framework_run(*run))
        return out.getvalue()

    def test_what_breaks(self):
        text = self.table("flushed", "Subnormal values were lost.", ["accuracy"], "0 of 3 attacked cells",
                          "not claimed")
        self.assertIn("Lib 1.0 on CPU", text)
        self.assertIn("| `lib.sum` | f32 | 0.5, any order | 3 | run, placement, order | **flushed** (tiny) |", text)
        text = self.table("within bound", "Subnormals were flushed, as its claims allow.", [], "0 of 3 attacked cells",
                          "held")
        self.assertIn("| run (claimed), placement (claimed), order (claimed) | loses subnormals, as it says (tiny) |",
                      text)

    def test_what_varies(self):
        text = self.table("varies as claimed", None, [], "2 of 3 attacked cells", "not claimed")
        self.assertIn("| not even run | nothing found |", text)
        text = self.table("varied", None, ["same bits: run"], "2 of 3 attacked cells", "broken")
        self.assertIn("**run: claimed and broken**", text)


class Banks(unittest.TestCase):
    def test_conflicts_of_a_warp(self):
        self.assertEqual(bank_conflicts.warp_conflicts(range(32)), 0)
        self.assertEqual(bank_conflicts.warp_conflicts([5] * 32), 0)  # one word for all is a broadcast
        self.assertEqual(bank_conflicts.warp_conflicts(range(0, 64, 2)), 1)
        self.assertEqual(bank_conflicts.warp_conflicts(range(0, 32 * 32, 32)), 31)

    def test_the_tutorials_32_way_conflict_needs_1024_threads(self):
        degrees = {t: {step["stride"]: step["degree"] for step in bank_conflicts.model_steps("tree_strided", t)}
                   for t in (256, 1024)}
        self.assertEqual(degrees[1024][16], 32)
        self.assertEqual(degrees[256][16], 8)  # 256 / (2 * 16) threads are left
        for variant in ("tree_modulo", "tree_sequential"):
            self.assertEqual(sum(step["extra_wavefronts"] for step in bank_conflicts.model_steps(variant, 1024)), 0)

    def test_blocks_of_all_passes(self):
        self.assertEqual(bank_conflicts.blocks_of_call("tree_strided", 1 << 24, 1024), 16384 + 16 + 1)
        self.assertEqual(bank_conflicts.blocks_of_call("tree_two_loads", 1 << 20, 256), 2048 + 4 + 1)


BARRIERS = """own switch, x86-64   1024 threads:   96.8 million thread-barriers a second,  10.3 ns each
HIP-CPU              1024 threads:   55.4 million thread-barriers a second,  18.0 ns each
own switch, x86-64   1024 threads:  100.0 million thread-barriers a second,  10.0 ns each
HIP-CPU              1024 threads:   50.0 million thread-barriers a second,  20.0 ns each
1024 threads a block: simt 100.0, HIP-CPU 55.4 million thread-barriers a second (best of each); ratio 1.81
"""


class Cpu(unittest.TestCase):
    def test_what_programs_print(self):
        self.assertEqual(cpu.read_barriers(BARRIERS), [
            {"machine": "simt", "threads": 1024, "million_a_second": [96.8, 100.0]},
            {"machine": "HIP-CPU", "threads": 1024, "million_a_second": [55.4, 50.0]}])
        text = "cells against seconds\n1/32      621 cells     0.85 s    1.369 ms a cell\n1/1     21880 cells    14.72 s"
        self.assertEqual(cpu.read_cells(text), [{"parts": 32, "cells": 621, "seconds": 0.85},
                                                {"parts": 1, "cells": 21880, "seconds": 14.72}])

    def test_ratios_are_taken_within_a_round(self):
        # the machine was twice as slow in the second round and three times in the third: that leaves ratios alone
        self.assertEqual(cpu_tables.ratio_text([1, 2, 3], [2, 4, 6]), "0.50 (0.50–0.50)")
        self.assertEqual(cpu_tables.ratio_text([1, 2, 5, 4], [1, 1, 1, 1]), "3.00 (1.75–4.25)")
        self.assertEqual(cpu_tables.ratio_text([40], [1]), "40")
        self.assertEqual(cpu_tables.ratio_text(None, [1]), "–")

    def test_tables(self):
        samples = [{"type": "f64", "data": "full range", "way": way, "threads": threads, "ns": ns} for way, threads, ns in (
            ("plain loop", 0, [2.0]), ("exact_sum", 0, [1.5]), ("mpfr_sum", 0, [30.0]), ("threads", 1, [2.0]),
            ("threads", 2, [1.25]))]
        record = {"environment": {"cpu": "C", "compiler": "G", "commit": "c"}, "load_averages": [1, 2, 3],
                  "exact_sum": {"log2_n": 24, "samples": samples}, "barriers": cpu.read_barriers(BARRIERS),
                  "cells": {"tier": "smoke", "runs": [{"parts": 1, "cells": 2000, "seconds": 1.5}]}}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            cpu_tables.print_cpu(record)
        for line in ("| f64: exact sum / plain loop | – | 0.75 | – | – |", "| f64: `mpfr_sum` / exact sum | – | 20 | – | – |",
                     "| f64: 2 threads | – | 1.60 | – | – |", "| 1024 | 98.4 | 52.7 | 1.87 (1.81–1.94) |",
                     "| 2000 | 1.50 | 0.750 |"):
            self.assertIn(line, out.getvalue().splitlines())
        self.assertNotIn("xsum", out.getvalue())


def bench(rows):
    """A run of cells (name, n, shape, us, share)."""
    names = sorted({row[0] for row in rows})
    return {"environment": {"cuda.multiprocessors": "132"},
            "variants": [{"name": name, "backend": "cuda", "type": "f32"} for name in names],
            "cells": [{"variant": names.index(name), "n": n, "shape": shape, "ns": [int(us * 1e3)],
                       "gigabytes_per_second": "1", "bandwidth_share": str(share)}
                      for name, n, shape, us, share in rows]}


def told(runs):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        advice.print_advice(runs)
    return out.getvalue()


class Advice(unittest.TestCase):
    def test_crossover(self):
        rows = []
        for n, shuffle, tree, levels in ((1 << 10, 5, 9, 9), (1 << 16, 5, 4.9, 9), (1 << 20, 90, 80, 20)):
            rows += [("warp_shuffle", n, "t256", shuffle, .1), ("tree_sequential", n, "t256", tree, .1),
                     ("grid_stride", n, "t512", levels, .1)]
        self.assertIn("holds: 3 of 3 sizes", told([bench(rows)]))
        rows[1] = ("tree_sequential", 1 << 10, "t256", 4, .1)  # then shuffling 1024 elements costs 25 %
        text = told([bench(rows)])
        self.assertIn("holds in part: 2 of 3 sizes", text)
        self.assertIn("| 1.25 |", text)

    def test_threads_and_blocks(self):
        rows = [("grid_stride", 1 << 26, "t%d" % t, us, .9) for t, us in
                ((32, 200), (64, 130), (128, 100), (256, 99), (512, 98))]
        rows += [("grid_stride", 1 << 26, "t512b%d" % b, us, .9) for b, us in ((132, 100), (165, 130), (264, 100),
                                                                             (297, 101))]
        text = told([bench(rows)])
        self.assertIn("does not hold: 0 of 1 rows", text)
        self.assertIn("1.25: 1.300; 2.25: 1.010", text)
        self.assertIn("holds in part: 1 of 2 counts", text)


def order_of(variant, n, height):
    return {"variant": variant, "backend": "cuda", "type": "f32", "n": n, "shape": "t256", "kind": "tree", "height": height,
            "hash": "%016x" % height, "pattern": "one by one"}


STUB_OF_REDUCTIO = """#!/bin/sh
case "$1 $2" in
"list backends") echo 'host: present'; echo 'cuda: absent: it was not built.'; exit 0 ;;
"list variants") echo 'no library gone.' >&2; exit 1 ;;
esac
name=$2
while [ $# -gt 0 ]; do
    case $1 in --svg) svg=$2 ;; --json) json=$2 ;; esac
    shift
done
echo "$name@host/f32, n = 8, t1"
told() { echo '%s' | sed "s/NAME/$name/" >"$json"; }
case $name in
fine) told; echo '<svg/>' >"$svg" ;;
contradicts) told; echo '<svg/>' >"$svg"; exit 1 ;;
varies) told; echo 'reductio: --svg wants one row with a fixed order; choose it.' >&2; exit 2 ;;
absent) echo '    not run: no device.'; echo '{"orders": []}' >"$json"; exit 2 ;;
usage) echo 'reductio: no variant matches "usage".' >&2; exit 2 ;;
unwritable) told; echo 'reductio: disk full' >&2; exit 2 ;;
crash) told; kill -SEGV $$ ;;
silent) exit 0 ;;
esac
"""


class Orders(unittest.TestCase):
    def test_new_rows_join_old_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            def write(name, text):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                    out.write(text)
            write("orders.json", json.dumps({"orders": [order_of("old", 8, 7), order_of("new", 8, 1)]}))
            write("orders.txt", "old@cuda/f32, n = 8, t256\n    height 7\nnew@cuda/f32, n = 8, t256\n    height 1\n")
            write("new-8.json", json.dumps({"orders": [order_of("new", 8, 3)]}))
            write("new-8.txt", "new@cuda/f32, n = 8, t256\n    height 3\n    ((x0+x1)+x2)\n")
            write("new-8.svg", "<svg/>")
            found = orders.join_orders(folder)
            orders.join_texts(folder)
            orders.write_page(folder, found)
            self.assertEqual([(o["variant"], o["height"]) for o in found], [("new", 3), ("old", 7)])
            with open(os.path.join(folder, "orders.txt"), encoding="utf-8") as file:
                text = file.read()
            self.assertEqual(text.count("n = 8"), 2)
            self.assertIn("height 3", text)
            self.assertNotIn("height 1", text)
            self.assertNotIn("x0", text)
            with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
                page = file.read()
            self.assertIn("- [n = 8](new-8.svg): height 3", page)
            self.assertNotIn("old-8.svg", page)
            self.assertEqual(sorted(os.listdir(folder)), ["README.md", "new-8.svg", "orders.json", "orders.txt"])

    def test_each_order_keeps_its_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            for recording, commit in (("a", "one"), ("b", "two"), ("c", "two")):
                with open(os.path.join(folder, recording + "-8.json"), "w", encoding="utf-8") as out:
                    json.dump({"environment": {"commit": commit}, "orders": [order_of(recording, 8, 3)]}, out)
                orders.join_orders(folder)  # each joins what was there before
            with open(os.path.join(folder, "orders.json"), encoding="utf-8") as file:
                record = json.load(file)
            self.assertEqual(record["environments"], [{"commit": "one"}, {"commit": "two"}])
            self.assertEqual([order["environment"] for order in record["orders"]], [0, 1, 1])

    def run_script(self, folder, *rows):
        done = subprocess.run([os.path.join(os.path.dirname(os.path.abspath(__file__)), "orders.sh"), folder,
                               os.path.join(folder, "out"), *rows], env=dict(os.environ, SIZES="8"), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_only_expected_refusals_pass(self):
        """orders.sh with a stub in reductio's place, whose rows are named after how it ends."""
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "bin"))
            with open(os.path.join(folder, "bin/reductio"), "w", encoding="utf-8") as out:
                out.write(STUB_OF_REDUCTIO % json.dumps({"orders": [order_of("NAME", 8, 3)]}))
            os.chmod(os.path.join(folder, "bin/reductio"), 0o755)
            code, text = self.run_script(folder, "host@fine", "host@contradicts", "host@varies", "host@absent",
                                         "cuda@fine", "gone:fine")
            self.assertEqual(code, 0, text)
            self.assertIn("--backend cuda is skipped: it was not built.", text)
            self.assertIn("--exec gone is skipped: no library gone.", text)
            self.assertIn("host@absent is skipped: no device.", text)
            kept = ["README.md", "contradicts-8.svg", "fine-8.svg", "orders.json", "orders.txt"]
            self.assertEqual(sorted(os.listdir(os.path.join(folder, "out"))), kept)
            for fault in ("usage", "crash", "silent", "unwritable"):
                code, text = self.run_script(folder, "host@" + fault, "host@fine")
                self.assertEqual(code, 1, text)
                self.assertIn("host@%s at n = 8 failed" % fault, text)
                self.assertEqual(sorted(os.listdir(os.path.join(folder, "out"))), kept)


if __name__ == "__main__":
    unittest.main()
