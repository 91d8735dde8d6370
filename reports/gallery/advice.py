# SPDX-License-Identifier: MIT
"""Holds two tutorials' advice about launch shapes and crossovers against recorded times (tables.py --advice)."""
import statistics

TOLERANCE = 1.05  # advice that costs at most 5 % holds: two runs of one row differ by about as much at small n
MEMORY_BOUND = 0.8  # of the bandwidth of a kernel that only reads

FAMILIES = {
    "shuffle": ("warp_shuffle",),
    "shared tree": ("tree_modulo", "tree_strided", "tree_sequential", "tree_two_loads", "tree_warp_unrolled",
                    "tree_cooperative_groups"),
    "multi-level": ("two_level", "two_level_serial", "single_pass_last_block", "grid_stride"),
}


def read_shape(shape):
    threads, _, blocks = shape.lstrip("t").partition("b")
    return int(threads), int(blocks or 0)


def timings(run):
    """The timed cells of the GPU, medians in microseconds."""
    list_of_timings = []
    for cell in run["cells"]:
        row = run["variants"][cell["variant"]]
        if row["backend"] != "cuda" or not cell.get("ns") or float(cell["gigabytes_per_second"]) <= 0:
            continue
        threads, blocks = read_shape(cell["shape"])
        list_of_timings.append({"name": row["name"], "type": row["type"], "n": cell["n"], "threads": threads,
                                "blocks": blocks, "us": statistics.median(cell["ns"]) / 1e3,
                                "share": float(cell["bandwidth_share"])})
    return list_of_timings


def size_text(n):
    power = n.bit_length() - 1
    return "2^%d" % power if n == 1 << power and power >= 10 else "%d" % n


def advised_family(n):
    return "shuffle" if n < 10_000 else "shared tree" if n <= 1_000_000 else "multi-level"


def holds_text(good, total):
    word = "holds" if good == total else "does not hold" if good == 0 else "holds in part"
    return "%s: %d of %d" % (word, good, total)


def print_crossover(all_timings, kind):
    """The fastest row of each family at each n, and what following the advice costs."""
    good = total = 0
    print("\n%s: \"shuffle below 10K, shared tree to 1M, multi-level above\"\n" % kind)
    print("| n | %s | fastest of the three | advised | its time / the fastest's |" % " | ".join(FAMILIES))
    print("| --- |%s --- | --- | --- |" % (" --- |" * len(FAMILIES)))
    for n in sorted({t["n"] for t in all_timings if t["type"] == kind}):
        best = {}
        for family, names in FAMILIES.items():
            of_family = [t for t in all_timings if t["type"] == kind and t["n"] == n and t["name"] in names]
            if of_family:
                best[family] = min(of_family, key=lambda t: t["us"])
        advised = advised_family(n)
        if advised not in best:
            continue
        fastest = min(best, key=lambda family: best[family]["us"])
        cost = best[advised]["us"] / best[fastest]["us"]
        total += 1
        good += cost <= TOLERANCE
        cells = ["%.1f µs `%s`" % (best[f]["us"], best[f]["name"]) if f in best else "–" for f in FAMILIES]
        print("| %s | %s | %s | %s | %.2f |" % (size_text(n), " | ".join(cells), fastest, advised, cost))
    if total:
        print("\nThe advice %s sizes cost at most %.0f %% by it." % (holds_text(good, total), 100 * (TOLERANCE - 1)))


def by_row(all_timings):
    rows = {}
    for timing in all_timings:
        rows.setdefault((timing["name"], timing["type"], timing["n"]), []).append(timing)
    return rows


def print_threads(all_timings):
    """Times against threads a block, at each row's own number of blocks."""
    counts = (32, 64, 128, 256, 512, 1024)
    good, total = {True: 0, False: 0}, {True: 0, False: 0}
    print("\nThreads a block: \"32 or 64 for memory-bound kernels\", \"128 or 256 for compute-bound\"\n")
    print("| variant | type | n | bound by | %s | advised / fastest |" % " | ".join("%d" % c for c in counts))
    print("| --- | --- | --- | --- |%s --- |" % (" --- |" * len(counts)))
    for (name, kind, n), row in by_row(all_timings).items():
        of_count = {t["threads"]: t for t in row if t["blocks"] == 0}
        if len(of_count) < 4:
            continue
        fastest = min(of_count.values(), key=lambda t: t["us"])
        memory = fastest["share"] >= MEMORY_BOUND
        advised = [of_count[c]["us"] for c in ((32, 64) if memory else (128, 256)) if c in of_count]
        if not advised:
            continue
        cost = min(advised) / fastest["us"]
        total[memory] += 1
        good[memory] += cost <= TOLERANCE
        print("| `%s` | %s | %s | %s | %s | %.2f |" % (
            name, kind, size_text(n), "memory" if memory else "its own work",
            " | ".join("%s%.0f µs" % ("**" if c == fastest["threads"] else "", of_count[c]["us"])
                       + ("**" if c == fastest["threads"] else "") if c in of_count else "–" for c in counts), cost))
    for memory, words in ((True, "memory-bound rows (at least 80 % of the bandwidth of a read)"), (False, "the others")):
        if total[memory]:
            print("\nFor %s the advice %s rows lose at most 5 %% by it." % (words, holds_text(good[memory],
                                                                                            total[memory])))


def print_blocks(all_timings, processors):
    """Block counts that are no multiple of the multiprocessors beside the next lower multiple."""
    print("\nBlocks: \"a multiple of the multiprocessors\", of which there are %d\n" % processors)
    print("| variant | type | n | blocks (× multiprocessors): time of it / time of the multiple below it | fastest |")
    print("| --- | --- | --- | --- | --- |")
    faster = pairs = 0
    for (name, kind, n), row in by_row(all_timings).items():
        of_blocks = {t["blocks"]: t["us"] for t in row if t["blocks"] >= processors // 2}
        texts = []
        for blocks, us in sorted(of_blocks.items()):
            below = blocks // processors * processors
            if blocks % processors and below in of_blocks:
                ratio = us / of_blocks[below]
                pairs += 1
                faster += ratio > TOLERANCE
                texts.append("%.2f: %.3f" % (blocks / processors, ratio))
        if texts:
            best = min(of_blocks, key=of_blocks.get)
            print("| `%s` | %s | %s | %s | %d (%.2f ×) |" % (name, kind, size_text(n), "; ".join(texts), best,
                                                          best / processors))
    if pairs:
        print("\nThe advice %s counts that are no multiple cost more than 5 %% against the multiple below them." %
              holds_text(faster, pairs))


def print_advice(runs):
    all_timings = [timing for run in runs for timing in timings(run)]
    own_shape = [t for t in all_timings if t["blocks"] == 0]
    for kind in ("f32", "f64"):
        sizes = {t["n"] for t in own_shape if t["type"] == kind}
        if len(sizes) > 2:
            print_crossover(own_shape, kind)
    print_threads(all_timings)
    for run in runs:
        processors = run["environment"].get("cuda.multiprocessors", "")
        if processors.isdigit():
            print_blocks(all_timings, int(processors))
            break
