#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints tables from recorded runs, each as what it is:

    tables.py smoke.json.gz bench.json.gz            what varies, what is wrong, what it costs
    tables.py kinds.json.gz                          what it costs on several kinds of data
    tables.py frameworks.json.gz                     what the frameworks' sums really do
    tables.py sanitizer.json.gz selftest*.json.gz    the suite's verdicts on the planted faults beside compute-sanitizer's
    tables.py study.json.gz                          how far the results of a row vary
    tables.py conflicts.json.gz                      bank conflicts of the tutorial's ladder
    tables.py cpu.json.gz                            what the exact sum, a barrier of simt and a cell cost on a CPU
    tables.py hardware.json.gz                       what the machine itself does (also part of smoke.json.gz)
    tables.py --advice bench.json.gz shapes.json.gz  the tutorials' advice, held against the times"""
import collections
import gzip
import json
import statistics
import sys

from advice import print_advice
from cpu_tables import print_cpu


def load(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path) as file:
        return json.load(file)


def claims_of(row):
    return {claim["claim"]: claim for claim in row["claims"]}


def invariance(claim):
    """What was seen under one change: "same" where it is claimed, "same so far", "varies", or why nobody looked."""
    observed = claim.get("observed")
    if not observed:
        return "– (%s)" % claim["why"] if claim.get("why") in ("one device", "it has one launch shape") else "–"
    differ, attacked = observed.split(" of ")[0], observed.split(" of ")[1].split(" ")[0]
    if differ == "0":
        return "same" if claim["status"] == "held" else "same so far"
    return "varies"


def print_variants(run, backend):
    print("| variant | type | claims broken | run | shape | placement | order | device | worst err/bound | subnormals |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in run["variants"]:
        if row["backend"] != backend:
            continue
        claims = claims_of(row)
        broken = [name for name, claim in claims.items() if claim["status"] in ("broken", "known")]
        kinds = [invariance(claims["same bits: " + kind]) for kind in ("run", "shape", "placement", "order", "device")]
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
        if row["backend"] == "exec":  # told by print_frameworks
            continue
        found.setdefault((row["name"], row["type"], data["values"], cell["head"]), (cell, data))
    if not found:
        return
    print("| variant | type | input | finding | got | exact |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (name, kind, values, head), (cell, data) in found.items():
        print("| `%s` | %s | %s, n = %d | %s | %s | %s |" % (name, kind, values, data["n"], head,
                                                           cell.get("got_decimal", "–"), data["exact_decimal"]))


def print_kinds(run, timed):
    """Times of rows on several kinds of data: for each type and n the median in µs, and cub_sum's over it."""
    kinds = list(dict.fromkeys(run["datasets"][cell["dataset"]]["values"] for cell in timed))
    times = {}
    for cell in timed:
        row, data = run["variants"][cell["variant"]], run["datasets"][cell["dataset"]]
        times[row["type"], cell["n"], row["name"], data["values"]] = statistics.median(cell["ns"]) / 1e3
    print("| variant | type | n | %s |" % " | ".join(kinds))
    print("| --- | --- | --- |%s" % (" ---: |" * len(kinds)))
    for kind, n, name in sorted({key[:3] for key in times}):
        entries = []
        for values in kinds:
            own, base = times.get((kind, n, name, values)), times.get((kind, n, "cub_sum", values))
            entries.append("–" if not own else "%.4g" % own if not base else "%.4g (%.3f)" % (own, base / own))
        print("| `%s` | %s | %d | %s |" % (name, kind, n, " | ".join(entries)))
    print("Median µs a call; in brackets the time of `cub_sum` over it. – : not timed, since it is wrong there.")


def print_times(run):
    """Median ms and GB/s at the largest n, with the ratio to cub_sum of the same type."""
    timed = [cell for cell in run["cells"] if float(cell.get("gigabytes_per_second", "0")) > 0]
    if not timed:
        return
    if len({run["datasets"][cell["dataset"]]["values"] for cell in timed}) > 1:
        print_kinds(run, timed)
        return
    largest = max(cell["n"] for cell in timed)
    rows = []
    for cell in timed:
        if cell["n"] != largest:
            continue
        row = run["variants"][cell["variant"]]
        rows.append((row["type"], statistics.median(cell["ns"]) / 1e6, row["name"], cell))
    base = {kind: ms for kind, ms, name, _ in rows if name == "cub_sum"}
    print("| variant | type | n | median ms | GB/s | share of a read-only kernel | time of `cub_sum` / time |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind, ms, name, cell in sorted(rows):
        ratio = "%.3f" % (base[kind] / ms) if kind in base else "–"
        print("| `%s` | %s | %d | %.4g | %.0f | %.3f | %s |" % (name, kind, largest, ms,
                                                              float(cell["gigabytes_per_second"]),
                                                              float(cell["bandwidth_share"]), ratio))


def repeats_text(cells):
    """The most distinct results of one input, with how far apart they lie."""
    if not cells:
        return "–"
    widest = max(cells, key=lambda cell: len(cell["patterns"]))
    return "%d in %d" % (len(widest["patterns"]), widest["runs"])


def print_study(run):
    """A line a row: repeats on an idle and on a busy GPU, the control, then the other members of same bits."""
    kinds = ("shape", "placement", "order", "device")
    print("| variant | type | distinct, idle | distinct, busy | ulps apart | largest V_s | control | %s |" %
          " | ".join(kinds))
    print("| --- | --- | --- | --- | --- | --- | --- |%s" % (" --- |" * len(kinds)))
    for v, row in enumerate(run["variants"]):
        repeated = [cell for cell in run["cells"] if cell["variant"] == v and cell["runs"] > 1 and cell["has_result"]]
        control = [cell for cell in repeated if run["datasets"][cell["dataset"]]["never_rounds"]]
        inputs = [cell for cell in repeated if not run["datasets"][cell["dataset"]]["never_rounds"]]
        busy = [cell for cell in inputs if cell["schedule"].startswith("busy")]
        idle = [cell for cell in inputs if not cell["schedule"].startswith("busy")]
        apart = max((float(cell["max_ulps"]) - float(cell["min_ulps"]) for cell in inputs), default=0)
        largest = max((float(cell["vs"]) for cell in inputs), key=abs, default=0)
        claims = claims_of(row)
        print("| `%s` | %s | %s | %s | %.3g | %.2g | %s | %s |" % (
            row["name"], row["type"], repeats_text(idle), repeats_text(busy), apart, largest, repeats_text(control),
            " | ".join(invariance(claims["same bits: " + kind]) for kind in kinds)))


def suite_verdicts(selftests):
    """Of each planted fault and backend that took part: how many of its cells are headed by which finding of which
    detector. Beside it, of each fault, the finding and the detector that it names."""
    seen, named = {}, {}
    for run in selftests:
        for row in run["variants"]:
            if "fault_finding" in row:
                named[row["name"]] = row["fault_finding"], row["fault_detector"]
                seen.setdefault((row["name"], row["backend"]), collections.Counter())
        for cell in run["cells"]:
            row = run["variants"][cell["variant"]]
            if "fault_finding" in row and cell.get("detectors"):
                seen[row["name"], row["backend"]][cell["head"], cell["detector"]] += 1
    return seen, named


def verdict_text(verdicts, name, backends):
    """What a fault was found as, what it names first, then what most of its other cells say."""
    seen, named = verdicts
    present = [backend for backend in backends if (name, backend) in seen]
    found = sum((seen[name, backend] for backend in present), collections.Counter())
    if not present:
        return "–"
    if not found:
        return "not tried" if named[name][1] in {"tsan", "asan"} - set(present) else "nothing"
    ways = sorted(found, key=lambda way: (way != named[name], -found[way], way))
    return "; ".join("%s (%s)" % way for way in ways[:2])


def tool_text(result):
    if result is None:
        return "–"
    if result["verdict"] in ("clean", "out of time", "failed"):
        return result["verdict"]
    count = "%d" % result["errors"] if result.get("errors") else "%d warned" % result.get("warnings", 0)
    kinds = [report[0] for report in result.get("reports", [])]
    kind = min(kinds, key=lambda words: words.startswith("Program hit"), default="")
    for words, short in (("__shared__ memory read", "shared read"), ("__global__ read", "global read"),
                         ("__global__ write", "global write"), ("__shared__ read", "shared read"),
                         ("__shared__ write", "shared write"), ("Race", "race"), ("hazard", "race"),
                         ("Host API", "uninitialised result"),
                         ("Uninitialized", "uninitialised read"), ("Barrier", "barrier"), ("Program hit", "API error")):
        if words in kind:
            return "%s: %s" % (short, count) if "errors" in result else short
    return count


def print_sanitizer(record, selftests):
    tools = list(record["variants"][0]["tools"])
    verdicts = suite_verdicts(selftests)
    print("compute-sanitizer %s on %s, driver %s; n = %s (racecheck %s)\n" %
          (record["compute_sanitizer"], record["environment"].get("gpu", "?").split(",")[0],
           record["environment"].get("driver", "?"), record["sizes"], record["racecheck_sizes"]))
    print("| planted fault | planted as | emulator says | GPU says | %s |" % " | ".join(tools))
    print("| --- | --- | --- | --- |%s" % (" --- |" * len(tools)))
    for row in sorted(record["variants"], key=lambda row: row["variant"]):
        if row["fault_finding"]:
            cells = [tool_text(row["tools"].get(tool)) for tool in tools]
            print("| `%s` | %s | %s | %s | %s |" % (
                row["variant"], row["fault_finding"], verdict_text(verdicts, row["variant"], ("simt", "tsan", "asan")),
                verdict_text(verdicts, row["variant"], ("cuda",)), " | ".join(cells)))
    real = [row for row in record["variants"] if not row["fault_finding"]]
    dirty = [row for row in real if any(result["verdict"] != "clean" for result in row["tools"].values())]
    print("\n%d of %d rows that are not planted faults are clean under all of %s." %
          (len(real) - len(dirty), len(real), ", ".join(tools)))
    for row in dirty:
        print("- `%s` %s: %s" % (row["variant"], row["type"], "; ".join(
            "%s %s" % (tool, tool_text(result)) for tool, result in row["tools"].items()
            if result["verdict"] != "clean")))


def print_conflicts(record):
    """The counters of the ladder, then the model of the strided rung step by step."""
    print("ncu %s on %s, n = %d, f32\n" % (record["ncu"], record["environment"].get("gpu", "?").split(",")[0],
                                           record["n"]))
    print("| variant | threads a block | time, ms | bank conflicts | a block | model | threads an instruction | "
          "shared loads + stores |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in record["rows"]:
        if "fault" in row:
            print("| `%s` | %s | not measured |" % (row["variant"], row["shape"]))
            continue
        model = "%.4g" % (row["model_conflicts"] / row["blocks"]) if "model_conflicts" in row else "–"
        accesses = [row.get("load_instructions"), row.get("store_instructions")]
        print("| `%s` | %s | %.4g | %.4g | %.4g | %s | %s | %s |" % (
            row["variant"], row["shape"].lstrip("t"), row["ns"] / 1e6, row["conflicts"],
            row["conflicts"] / row["blocks"], model,
            "%.1f" % row["threads_per_instruction"] if row.get("threads_per_instruction") else "–",
            "%.4g" % sum(accesses) if None not in accesses else "–"))
    for row in record["rows"]:
        if row["variant"] == "tree_strided" and "model_steps" in row:
            print("\nWhat 32 banks make of `tree_strided` with %s threads a block, by the model:\n" %
                  row["shape"].lstrip("t"))
            print("| stride s | active threads | conflict | extra wavefronts a block |\n| --- | --- | --- | --- |")
            for step in row["model_steps"]:
                print("| %d | %d | %d-way | %d |" % (step["stride"], step["active"], step["degree"],
                                                    step["extra_wavefronts"]))


ALLOWED = {  # what a cell says where a claim lets it pass
    "A partial sum overflowed, as its claims allow.": "overflows early",
    "Special values are not claimed to be kept.": "loses NaN or infinity",
    "Subnormals were flushed, as its claims allow.": "loses subnormals, as it says",
}


def shortcomings(run, number):
    """What is wrong with a row, or allowed and worth knowing: words and on which inputs, the most frequent first."""
    inputs = collections.defaultdict(collections.Counter)
    for cell in run["cells"]:
        if cell["variant"] != number or cell["dataset"] is None:
            continue
        values = run["datasets"][cell["dataset"]]["values"]
        if cell["broken"]:
            inputs["**%s**" % cell["head"]][values] += 1
        for words, name in ALLOWED.items():
            if words in (cell.get("detail") or ""):
                inputs[name][values] += 1
    lines = []
    for name, where in sorted(inputs.items(), key=lambda item: -sum(item[1].values())):
        most = [values for values, _ in where.most_common(2)]
        lines.append("%s (%s%s)" % (name, ", ".join(most), ", …" if len(where) > 2 else ""))
    return "; ".join(lines) or "nothing found"


def worst_error(run, number):
    """The largest |error| / (u sum|x|) where nothing broke or was allowed to: with it sums compare, whatever their
    bounds."""
    errors = [float(cell["error_over_uA"]) for cell in run["cells"]
              if cell["variant"] == number and cell.get("error_over_uA") and not cell["broken"] and
              not any(words in (cell.get("detail") or "") for words in ALLOWED)]
    return max((error for error in errors if error == error), default=0)


def sameness(claims):
    """In which sense a row is deterministic: what was changed without changing a bit, and whether it claims so."""
    words = []
    for kind in ("run", "placement", "order"):
        claim = claims["same bits: " + kind]
        seen = invariance(claim)
        if seen.startswith("same"):
            words.append(kind + (" (claimed)" if claim["status"] == "held" else ""))
        elif claim["status"] == "broken":
            words.append("**%s: claimed and broken**" % kind)
        elif kind == "run" and seen == "varies":
            words.append("not even " + kind)
    return ", ".join(words) or "–"


def print_frameworks(run):
    """A line a sum and type: how wrong it is, in which sense it is deterministic, and what breaks."""
    libraries = {key.split(".")[1]: value for key, value in run["environment"].items()
                 if key.startswith("exec.") and key.endswith(".library")}
    print("\n".join("%s on %s  " % (library, run["environment"].get("exec.%s.device" % name, "?"))
                    for name, library in libraries.items()))
    print("\n| framework sum | type | worst err/bound | worst err/(u·Σ\\|x\\|) | same bits whatever changes | "
          "what breaks |")
    print("| --- | --- | --- | --- | --- | --- |")
    for number, row in enumerate(run["variants"]):
        if row["backend"] != "exec":
            continue
        claims = claims_of(row)
        if claims["sound"]["status"] == "not tested":
            print("| `%s` | %s | not run here | | | |" % (row["name"], row["type"]))
            continue
        print("| `%s` | %s | %.3g, %s | %.3g | %s | %s |" % (
            row["name"], row["type"], float(row["worst_error_over_bound"]),
            claims["accuracy"]["value"].replace(" (not claimed)", ""), worst_error(run, number), sameness(claims),
            shortcomings(run, number)))


def is_bench(run):
    return any(float(cell.get("gigabytes_per_second", "0")) > 0 for cell in run["cells"])


def print_hardware(run):
    """One row a question, the answer of each backend beside what is stated."""
    answers = run.get("hardware", [])
    if not answers:
        return
    backends = list(dict.fromkeys(answer["backend"] for answer in answers))
    rows = collections.OrderedDict()
    for answer in answers:
        rows.setdefault((answer["operation"], answer["what"], answer["type"]), {})[answer["backend"]] = answer
    print("\n%d of %d answers of the machine are as stated.\n" % (sum(a["as_stated"] for a in answers), len(answers)))
    print("| operation | on | type | operands | stated | %s |" % " | ".join(backends))
    print("| --- | --- | --- | --- | --- |%s" % (" --- |" * len(backends)))
    for (operation, what, kind), by_backend in rows.items():
        first = next(iter(by_backend.values()))
        observed = ["–" if backend not in by_backend else by_backend[backend]["observed"]
                    + ("" if by_backend[backend]["as_stated"] else " **differs**") for backend in backends]
        print("| %s | %s | %s | %s | %s | %s |" % (operation, what, kind, first["operands"], first["expected"],
                                                  " | ".join(observed)))


def main(arguments):
    records = [load(path) for path in arguments if path != "--advice"]
    if "--advice" in arguments:
        print_advice(records)
        return
    selftests = [record for record in records if record.get("command") == "selftest"]
    for record in records:
        if record in selftests:
            continue
        if record.get("kind") == "sanitizer":
            print_sanitizer(record, selftests)
        elif record.get("kind") == "bank conflicts":
            print_conflicts(record)
        elif record.get("kind") == "cpu":
            print_cpu(record)
        elif record.get("command") == "study":
            print_study(record)
        elif is_bench(record):
            print(record["verdict"])
            print_times(record)
        else:
            print(record["verdict"])
            for backend in record["backends"]:
                print("\n%s\n" % backend)
                if backend == "exec":
                    print_frameworks(record)
                else:
                    print_variants(record, backend)
            print()
            print_wrong(record)
            print_hardware(record)


if __name__ == "__main__":
    main(sys.argv[1:])
