#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the tables of README.md from recorded runs: tables.py FULL.json.gz [BENCH.json.gz] [SANITIZER.txt]."""
import collections
import gzip
import json
import sys


def load(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path) as file:
        return json.load(file)


def claims_of(row):
    return {claim["claim"]: claim for claim in row["claims"]}


def invariance(claim):
    """Claimed, observed: "yes", "varied 4/6", "-" where nothing attacked it."""
    observed = claim.get("observed")
    if not observed:
        return "–"
    differ, attacked = observed.split(" of ")[0], observed.split(" of ")[1].split(" ")[0]
    if differ == "0":
        return "same" if claim["status"] == "held" else "same so far"
    return "varies"


def print_variants(run, backend):
    print("| variant | type | claims broken | run | shape | placement | order | worst err/bound | subnormals |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in run["variants"]:
        if row["backend"] != backend:
            continue
        claims = claims_of(row)
        broken = [name for name, claim in claims.items() if claim["status"] in ("broken", "known")]
        kinds = [invariance(claims["same bits: " + kind]) for kind in ("run", "shape", "placement", "order")]
        keeps = claims["keeps subnormals"]
        subnormals = {"held": "kept", "broken": "lost", "known": "lost"}.get(keeps["status"], "not claimed")
        worst = float(row["worst_error_over_bound"])
        print("| `%s` | %s | %s | %s | %.3g | %s |" % (row["name"], row["type"], ", ".join(broken) or "none",
                                                      " | ".join(kinds), worst, subnormals))


def print_wrong(run):
    """What broke, a line a variant, finding and family of inputs."""
    found = collections.OrderedDict()
    for cell in run["cells"]:
        if not cell["broken"] or cell["dataset"] is None:
            continue
        row, data = run["variants"][cell["variant"]], run["datasets"][cell["dataset"]]
        found.setdefault((row["name"], row["type"], data["values"], cell["head"]), (cell, data))
    print("| variant | type | input | finding | got | exact |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (name, kind, values, head), (cell, data) in found.items():
        print("| `%s` | %s | %s, n = %d | %s | %s | %s |" % (name, kind, values, data["n"], head,
                                                           cell.get("got_decimal", "–"), data["exact_decimal"]))


def print_times(run):
    """Median ms and GB/s at the largest n, with the ratio to cub_sum of the same type."""
    timed = [cell for cell in run["cells"] if float(cell.get("gigabytes_per_second", "0")) > 0]
    if not timed:
        return
    largest = max(cell["n"] for cell in timed)
    rows = []
    for cell in timed:
        if cell["n"] != largest:
            continue
        row = run["variants"][cell["variant"]]
        samples = sorted(cell["ns"])
        rows.append((row["type"], samples[len(samples) // 2] / 1e6, row["name"], cell))
    base = {kind: ms for kind, ms, name, _ in rows if name == "cub_sum"}
    print("| variant | type | n | median ms | GB/s | share of a read-only kernel | time of `cub_sum` / time |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind, ms, name, cell in sorted(rows):
        ratio = "%.3f" % (base[kind] / ms) if kind in base else "–"
        print("| `%s` | %s | %d | %.4g | %.0f | %.3f | %s |" % (name, kind, largest, ms,
                                                              float(cell["gigabytes_per_second"]),
                                                              float(cell["bandwidth_share"]), ratio))


def print_sanitizer(path):
    table = collections.OrderedDict()
    with open(path) as file:
        for line in file:
            name, tool, found = line.split()
            table.setdefault(name, {})[tool] = found
    print("| variant | memcheck | racecheck | initcheck |")
    print("| --- | --- | --- | --- |")
    for name, found in table.items():
        print("| `%s` | %s |" % (name, " | ".join(found.get(t, "–") for t in ("memcheck", "racecheck", "initcheck"))))


def main(paths):
    for path in paths:
        if path.endswith(".txt"):
            print_sanitizer(path)
            continue
        run = load(path)
        print(run["verdict"])
        if any(float(cell.get("gigabytes_per_second", "0")) > 0 for cell in run["cells"]):
            print_times(run)
            continue
        for backend in run["backends"]:
            print("\n%s\n" % backend)
            print_variants(run, backend)
        print()
        print_wrong(run)


if __name__ == "__main__":
    main(sys.argv[1:])
