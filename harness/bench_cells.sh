#!/bin/sh
# SPDX-License-Identifier: MIT
# What a run costs against the number of its cells: bench_cells.sh REDUCTIO [TIER]
# Growing parts of a tier on the backends that need no GPU; processor time, the workers' included. Where the cost is
# linear the last column stands still, but for the start of two workers a variant, which the smallest parts feel.
set -eu
reductio=$1
tier=${2:-smoke}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "cells against seconds of processor time, tier $tier, backends host and simt"
for parts in 32 16 8 4 2 1; do
    (
        "$reductio" run --tier "$tier" --backend host --backend simt --shard "1/$parts" --quiet --json "$scratch/run.json" \
            >/dev/null 2>&1
        times
    ) >"$scratch/times"
    cells=$(grep -o '"findings":' "$scratch/run.json" | wc -l)
    # `times` prints the shell's own times, then those of its children: 0m1.234s 0m0.056s
    tail -1 "$scratch/times" | tr 'ms' '  ' | awk -v cells="$cells" -v parts="$parts" '{
        seconds = $1 * 60 + $2 + $3 * 60 + $4
        printf "1/%-3d %7d cells %8.2f s %8.3f ms a cell\n", parts, cells, seconds, 1000 * seconds / cells
    }'
done
