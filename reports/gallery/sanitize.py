#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs compute-sanitizer's four tools over every variant, planted faults included:

    sanitize.py BUILD -o sanitizer.json [--jobs 14] [--limit 60] [--only GLOB] [--tools memcheck,racecheck]

Each pair of variant and tool is a process of its own: reductio-launch-cuda launches the variant in plain memory, at
small sizes, in each of its launch shapes. The planted faults are run in one type, the real variants in all.
tables.py prints the table."""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import subprocess
import sys
import time

from processes import run_whole_group

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
SIZES = "1,33,180,257,1025"
# racecheck follows every access to shared memory: a handful of blocks shows what a thousand would.
SIZES_OF_TOOL = {"racecheck": "33,180,1025"}
SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+) (?:errors?|hazards?)")
HAZARDS = re.compile(r"\((\d+) errors?, (\d+) warnings?\)")
# The first line of each report, without the addresses and numbers that differ from thread to thread.
REPORT = re.compile(r"=+ *((?:Invalid|Uninitialized|Error|Warning|Barrier error|Program hit|Host API|Race reported|"
                    r"Potential|Out-of-range|Misaligned|Stack|Unused)[^\n]*)")


def list_variants(launcher):
    listing = subprocess.run([launcher, "--list"], capture_output=True, text=True, check=True).stdout
    variants, faults = [], set()
    for line in listing.splitlines():
        name, kind, shapes, finding, detector = line.split("\t")
        faulty = finding != "-"
        if faulty and name in faults:
            continue
        if faulty:
            faults.add(name)
        variants.append({"variant": name, "type": kind, "shapes": shapes, "fault_finding": finding if faulty else None,
                         "fault_detector": detector if faulty else None})
    return variants


def kinds_of_report(log):
    kinds = {}
    for line in REPORT.findall(log):
        line = re.sub(r"0x[0-9a-f]+", "…", line.strip())
        line = re.sub(r"\b\d+ bytes (before|after|inside)[^.]*", r"\1 an allocation", line)
        kinds[line] = kinds.get(line, 0) + 1
    # What the kernel did comes before the CUDA errors that followed from it.
    return sorted(kinds.items(), key=lambda pair: (pair[0].startswith("Program hit"), -pair[1]))[:3]


def read_log(log, tool):
    """Errors and warnings, or None where the tool did not get to its summary."""
    found = SUMMARY.findall(log)
    if not found:
        return None
    errors, warnings = sum(int(count) for count in found), 0
    if tool == "racecheck":
        split = HAZARDS.findall(log)
        if split:
            errors, warnings = (sum(int(pair[k]) for pair in split) for k in (0, 1))
    return {"errors": errors, "warnings": warnings, "reports": [list(kind) for kind in kinds_of_report(log)]}


def verdict_of(found, exit_code, planted):
    """What a summary says. A launch that fails before its kernels run has none to find errors in: without errors, only
    a row that ended well is clean, unless it is planted to end otherwise."""
    if found["errors"]:
        return "found"
    if exit_code is None:
        return "out of time"
    if exit_code and not planted:
        return "failed"
    return "warned" if found["warnings"] else "clean"


def run_one(launcher, variant, tool, limit):
    command = ["compute-sanitizer", "--tool", tool, "--print-limit", "20"]
    if tool == "racecheck":
        command += ["--racecheck-report", "analysis"]
    command += [launcher, variant["variant"], variant["type"], "--n", SIZES_OF_TOOL.get(tool, SIZES)]
    start = time.monotonic()
    log, exit_code = run_whole_group(command, limit)
    result = {"seconds": round(time.monotonic() - start, 2), "exit_code": exit_code}
    found = read_log(log, tool)
    if found:
        result.update(found)
        result["verdict"] = verdict_of(found, exit_code, variant["fault_finding"] is not None)
    else:
        reports = kinds_of_report(log)
        result["reports"] = [list(kind) for kind in reports]
        result["verdict"] = "found" if reports else "out of time" if exit_code is None else "failed"
    if result["verdict"] == "failed":
        result["log"] = log[-1000:]
    return result


def tool_version():
    text = subprocess.run(["compute-sanitizer", "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"Version (\S+)", text)
    return version.group(1) if version else text.strip()


def environment_of(build):
    text = subprocess.run([os.path.join(build, "bin/reductio-worker-cuda"), "--environment"], capture_output=True,
                          text=True, check=True).stdout
    return dict(line.split(" ", 1) for line in text.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    parser.add_argument("--limit", type=float, default=60, help="seconds a process")
    parser.add_argument("--only", default="*", help="glob of variants")
    parser.add_argument("--tools", default=",".join(TOOLS))
    given = parser.parse_args()
    launcher = os.path.join(given.build, "bin/reductio-launch-cuda")
    variants = [v for v in list_variants(launcher) if fnmatch.fnmatch(v["variant"], given.only)]
    tools = given.tools.split(",")
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        # racecheck first, since it takes longest
        order = sorted(tools, key=lambda tool: tool != "racecheck")
        futures = {(i, tool): pool.submit(run_one, launcher, variant, tool, given.limit)
                   for tool in order for i, variant in enumerate(variants)}
        for (i, tool), future in futures.items():
            variants[i].setdefault("tools", {})[tool] = future.result()
    record = {"kind": "sanitizer", "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
              "compute_sanitizer": tool_version(), "environment": environment_of(given.build), "sizes": SIZES,
              "racecheck_sizes": SIZES_OF_TOOL["racecheck"], "variants": variants}
    with open(given.output, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1)
    dirty = [v["variant"] for v in variants if not v["fault_finding"]
             and any(r["verdict"] != "clean" for r in v["tools"].values())]
    print("%d variants under %s; %s" % (len(variants), ", ".join(tools), "not clean and not planted: " +
                                        ", ".join(sorted(set(dirty))) if dirty else "all that are not faulty are clean"))
    return 1 if dirty else 0


if __name__ == "__main__":
    sys.exit(main())
