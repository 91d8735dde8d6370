#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads the shared-memory counters of the tutorial's ladder with Nsight Compute:

    bank_conflicts.py BUILD -o conflicts.json [--n 16777216] [--limit 120]

Each variant and launch shape is one process of reductio-launch-cuda under ncu; the counters of all kernels of the call
are added up. Beside them stands what a model of 32 banks of 4 bytes predicts for the access pattern of each rung.
tables.py prints the table."""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from processes import run_whole_group

LADDER = ("tree_modulo", "tree_strided", "tree_sequential", "tree_two_loads", "tree_warp_unrolled")
SHAPES = ("t256", "t1024")
METRICS = {
    "ns": "gpu__time_duration.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "load_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "store_instructions": "smsp__inst_executed_op_shared_st.sum",
    "threads_per_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "dram_bytes_read": "dram__bytes_read.sum",
}
CORE = ("ns", "conflicts")  # what every version of ncu knows by these names


def warp_conflicts(words):
    """Wavefronts of one access beyond the first: the most distinct words that any of 32 banks must give."""
    banks = {}
    for word in set(words):
        banks[word % 32] = banks.get(word % 32, 0) + 1
    return max(banks.values(), default=1) - 1


def accesses_of_step(variant, threads, stride):
    """The words that the active threads read first, by thread; the second word lies one stride further."""
    if variant == "tree_modulo":
        return {t: t for t in range(threads) if t % (2 * stride) == 0}
    if variant == "tree_strided":
        return {t: 2 * stride * t for t in range(threads) if 2 * stride * t < threads}
    return {t: t for t in range(stride)}


def model_steps(variant, threads):
    """Per step of one block in f32: stride, active threads, degree of the worst conflict, extra wavefronts."""
    steps, stride = [], 1
    while stride < threads:
        first = accesses_of_step(variant, threads, stride)
        extra, degree = 0, 1
        for warp in range(0, threads, 32):
            lanes = [first[t] for t in range(warp, warp + 32) if t in first]
            if not lanes:
                continue
            per_access = [warp_conflicts(lanes), warp_conflicts([word + stride for word in lanes]), warp_conflicts(lanes)]
            extra += sum(per_access)  # two loads and a store
            degree = max(degree, max(per_access) + 1)
        steps.append({"stride": stride, "active": len(first), "degree": degree, "extra_wavefronts": extra})
        stride *= 2
    return steps


def blocks_of_call(variant, n, threads):
    per_block = threads if variant in ("tree_modulo", "tree_strided", "tree_sequential") else 2 * threads
    blocks = 0
    while True:
        n = -(-n // per_block)
        blocks += n
        if n == 1:
            return blocks


def run_ncu(launcher, variant, shape, n, names, limit):
    with tempfile.NamedTemporaryFile(suffix=".csv") as log:
        command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--metrics",
                   ",".join(METRICS[name] for name in names), "--log-file", log.name, launcher, variant, "f32", "--n",
                   str(n), "--shape", shape]
        output, exit_code = run_whole_group(command, limit)
        with open(log.name, encoding="utf-8", errors="replace") as file:
            text = file.read()
    lines = [line for line in text.splitlines() if line.startswith('"')]
    if exit_code != 0 or len(lines) < 3:
        raise RuntimeError(("out of time: " if exit_code is None else "") + (text + output)[-800:])
    rows = list(csv.DictReader([lines[0]] + lines[2:]))  # the second line holds the units
    return {name: [float(row[METRICS[name]].replace(",", "")) for row in rows if METRICS[name] in row]
            for name in names}, output


def measure(launcher, variant, shape, n, limit):
    try:
        values, output = run_ncu(launcher, variant, shape, n, list(METRICS), limit)
    except RuntimeError:
        values, output = run_ncu(launcher, variant, shape, n, list(CORE), limit)
    threads = int(shape[1:])
    result = {"variant": variant, "type": "f32", "shape": shape, "kernels": len(values["ns"]), "output": output.strip()}
    for name, list_of_kernels in values.items():
        # The first kernel reads all of the input and takes nearly all of the time: its ratio stands for the call's.
        result[name] = (list_of_kernels[0] if name == "threads_per_instruction" else sum(list_of_kernels)) \
            if list_of_kernels else None
    steps = model_steps(variant, threads)
    result["blocks"] = blocks_of_call(variant, n, threads)
    if variant != "tree_warp_unrolled":  # its last warp works in another way
        result["model_steps"] = steps
        result["model_conflicts"] = result["blocks"] * sum(step["extra_wavefronts"] for step in steps)
    return result


def ncu_version():
    text = subprocess.run(["ncu", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Version (\S+)", text)
    return version.group(1) if version else text.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--n", type=int, default=1 << 24)
    parser.add_argument("--limit", type=float, default=120, help="seconds a process")
    given = parser.parse_args()
    launcher = os.path.join(given.build, "bin/reductio-launch-cuda")
    worker = os.path.join(given.build, "bin/reductio-worker-cuda")
    text = subprocess.run([worker, "--environment"], capture_output=True, text=True, check=True).stdout
    rows = []
    for variant in LADDER:
        for shape in SHAPES:
            try:
                rows.append(measure(launcher, variant, shape, given.n, given.limit))
            except RuntimeError as fault:
                rows.append({"variant": variant, "type": "f32", "shape": shape, "fault": str(fault)[-800:]})
    record = {"kind": "bank conflicts", "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
              "ncu": ncu_version(), "environment": dict(line.split(" ", 1) for line in text.splitlines()),
              "n": given.n, "metrics": METRICS, "rows": rows}
    with open(given.output, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1)
    failed = [row for row in rows if "fault" in row]
    for row in failed:
        print("%s %s: %s" % (row["variant"], row["shape"], row["fault"]), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
