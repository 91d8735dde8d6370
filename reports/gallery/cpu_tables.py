# SPDX-License-Identifier: MIT
"""Tables of a record of cpu.py: ratios within a round, their median, and in brackets the quartiles."""
import statistics

DATA = (("uniform", "uniform in [0, 1)"), ("full range", "full range"), ("one exponent", "one exponent"),
        ("integers", "integers below 2^10"))


def ratio_text(over, under):
    """Of two ways sampled in turn; "–" where one was not there."""
    if not over or not under:
        return "–"
    ratios = [a / b for a, b in zip(over, under)]
    digits = "%.0f" if statistics.median(ratios) >= 10 else "%.2f"
    if len(ratios) < 2:
        return digits % ratios[0]
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return "%s (%s–%s)" % tuple(digits % value for value in (middle, low, high))


COMPARED = (("exact sum / plain loop", "exact_sum", "plain loop"), ("reading alone / plain loop", "read", "plain loop"),
            ("`mpfr_sum` / exact sum", "mpfr_sum", "exact_sum"), ("xsum / exact sum", "xsum", "exact_sum"))


def print_exact_sums(record):
    ns = {(row["type"], row["data"], row["way"], row["threads"]): row["ns"] for row in record["samples"]}
    head = "| %%s | %s |\n|%s" % (" | ".join(name for _, name in DATA), " --- |" * (len(DATA) + 1))
    print(head % ("one thread, n = 2^%d" % record["log2_n"]))
    for words, over, under in COMPARED:
        for kind in ("f32", "f64"):
            if any((kind, data, over, 0) in ns for data, _ in DATA):
                print("| %s: %s | %s |" % (kind, words, " | ".join(
                    ratio_text(ns.get((kind, data, over, 0)), ns.get((kind, data, under, 0))) for data, _ in DATA)))
    print("\n" + head % "times as fast as one thread, on the clock")
    for count in sorted({row["threads"] for row in record["samples"]} - {0, 1}):
        for kind in ("f32", "f64"):
            print("| %s: %d threads | %s |" % (kind, count, " | ".join(
                ratio_text(ns.get((kind, data, "threads", 1)), ns.get((kind, data, "threads", count)))
                for data, _ in DATA)))


def print_barriers(rows):
    rates = {(row["machine"], row["threads"]): row["million_a_second"] for row in rows}
    print("\n| threads a block | simt, million thread-barriers a second | HIP-CPU | ratio |\n| ---: | ---: | ---: | ---: |")
    for threads in sorted({row["threads"] for row in rows}, reverse=True):
        simt, hip = rates.get(("simt", threads)), rates.get(("HIP-CPU", threads))
        print("| %d | %.1f | %s | %s |" % (threads, statistics.median(simt),
                                         "%.1f" % statistics.median(hip) if hip else "–", ratio_text(simt, hip)))


def print_cells(cells):
    print("\n| cells of the %s tier | seconds of processor time | ms a cell |\n| ---: | ---: | ---: |" % cells["tier"])
    for run in cells["runs"]:
        print("| %d | %.2f | %.3f |" % (run["cells"], run["seconds"], 1000 * run["seconds"] / run["cells"]))


def print_cpu(record):
    machine = record["environment"]
    print("%s; %s; commit %s; processes that ran or waited: %s; medians, quartiles in brackets\n" % (
        machine["cpu"], machine["compiler"], machine["commit"], ", ".join("%.1f" % load for load in record["load_averages"])))
    print_exact_sums(record["exact_sum"])
    print_barriers(record["barriers"])
    print_cells(record["cells"])
