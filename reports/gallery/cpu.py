#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what the harness itself costs on a CPU, in ratios that can be repeated:

    cpu.py BUILD -o cpu.json [--log2-n 24] [--rounds 15] [--hip-cpu DIR] [--tier smoke]

The exact sum beside a plain loop, mpfr_sum, and xsum where the build has it (-DREDUCTIO_XSUM_DIR=), with 1, 2, 4 ...
threads; a barrier of simt beside HIP-CPU where its sources are given; a run of a tier against its number of cells.
tables.py prints the tables."""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HARNESS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "harness")


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError("%s ended with %d: %s" % (command[0], done.returncode, done.stderr.strip()[-400:]))
    return done.stdout


def environment_of(build):
    """What reductio itself records of the machine and the build."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        run([os.path.join(build, "bin/reductio"), "run", "host_sequential", "--backend", "host", "--type", "f32", "--case",
             "ones", "--quiet", "--json", path])
        with open(path, encoding="utf-8") as file:
            return json.load(file)["environment"]


def exact_sums(build, log2_n, rounds):
    """Every sample: ns a term of each way in each round."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "samples.csv")
        run([os.path.join(build, "reference/bench_exact_sum"), str(log2_n), "--rounds", str(rounds), "--samples", path])
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    samples = {}
    for row in rows:
        key = (row["type"], row["data"], row["way"], int(row["threads"]))
        samples.setdefault(key, []).append(float(row["ns"]))
    return [dict(zip(("type", "data", "way", "threads"), key), ns=ns) for key, ns in samples.items()]


def read_barriers(text):
    """Lines such as "Boost.Context  1024 threads:  68.1 million thread-barriers a second": rates by machine and block."""
    rates = {}
    for name, threads, rate in re.findall(r"^(\S[^:]*?) +(\d+) threads: +([\d.]+) million", text, re.MULTILINE):
        rates.setdefault(("HIP-CPU" if name == "HIP-CPU" else "simt", int(threads)), []).append(float(rate))
    return [{"machine": machine, "threads": threads, "million_a_second": values}
            for (machine, threads), values in rates.items()]


def barriers(build, hip_cpu, rounds):
    if hip_cpu:
        text = run([os.path.join(HARNESS, "simt/compare_hip_cpu.sh"), build, hip_cpu, str(rounds)])
    else:
        text = "".join(run([os.path.join(build, "harness/simt/bench_simt")]) for _ in range(rounds))
    return read_barriers(text)


def read_cells(text):
    return [{"parts": int(parts), "cells": int(cells), "seconds": float(seconds)} for parts, cells, seconds in
            re.findall(r"^1/(\d+) +(\d+) cells +([\d.]+) s", text, re.MULTILINE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--log2-n", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--hip-cpu", help="sources of HIP-CPU")
    parser.add_argument("--tier", default="smoke")
    given = parser.parse_args()
    record = {"kind": "cpu", "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    try:
        record["environment"] = environment_of(given.build)
        loads = [os.getloadavg()[0]]
        record["exact_sum"] = {"log2_n": given.log2_n,
                               "samples": exact_sums(given.build, given.log2_n, given.rounds)}
        record["barriers"] = barriers(given.build, given.hip_cpu, max(1, given.rounds // 3))
        loads.append(os.getloadavg()[0])
        cells = run([os.path.join(HARNESS, "bench_cells.sh"), os.path.join(given.build, "bin/reductio"), given.tier])
        record["cells"] = {"tier": given.tier, "runs": read_cells(cells)}
        # Processes that were running or waiting, this one among them: before, between and after.
        record["load_averages"] = [round(load, 2) for load in loads + [os.getloadavg()[0]]]
    except (OSError, RuntimeError) as fault:
        print("cpu.py: %s" % fault, file=sys.stderr)
        return 1
    with open(given.output, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
