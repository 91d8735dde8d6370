#!/bin/sh
# SPDX-License-Identifier: MIT
# Records the gallery on a machine with a GPU: record.sh BUILD OUT
#   smoke.json, smoke.html   the smoke gate on every backend
#   full.json, full.html     the full tier on every backend
#   study.json, study.txt    1000 runs and all other attacks on the rows where bits may vary
#   bench.json, bench.txt    times against n
#   sanitizer.txt            compute-sanitizer's verdict on every variant, planted faults included
# JSON files are compressed. Run it from the root of the repository, with nothing else on the machine.
set -eu
build=$1
out=$2
mkdir -p "$out"
reductio=$build/bin/reductio

# One variant under one tool: its errors or hazards, over small inputs where every block shape is met.
sanitize_one() {
    log=$(mktemp)
    compute-sanitizer --tool "$2" --target-processes all "$reductio" run "$1" --backend cuda --type f32 --case uniform \
        --case integers --quiet --limit 10 --json /dev/null >"$log" 2>&1 || true
    found=$(grep -hoE '(ERROR|RACECHECK) SUMMARY: [0-9]+' "$log" | awk '{total += $3} END {print total + 0}')
    rm -f "$log"
    echo "$1 $2 $found"
}
if [ "${3:-}" = sanitize ]; then
    sanitize_one "$4" "$5"
    exit
fi
"$reductio" check --tier smoke --quiet --json "$out/smoke.json" --html "$out/smoke.html" >"$out/smoke.txt" || echo "check: exit $?"
"$reductio" run --tier full --quiet --json "$out/full.json" --html "$out/full.html" >"$out/full.txt"
"$reductio" study atomic_per_element grid_stride two_level single_pass_last_block kahan 'cub_*' thrust_reduce \
    --backend cuda --quiet --json "$out/study.json" >"$out/study.txt"
"$reductio" bench --backend cuda --json "$out/bench.json" >"$out/bench.txt"

if command -v compute-sanitizer >/dev/null; then
    "$reductio" list variants | sed -n 's/@cuda.*//p' | sort -u >"$out/names"
    for tool in memcheck racecheck initcheck; do
        sed "s/\$/ $tool/" "$out/names"
    done | xargs -P 8 -L 1 "$0" "$build" "$out/scratch" sanitize | sort >"$out/sanitizer.txt"
    rm -rf "$out/names" "$out/scratch"
fi
gzip -9f "$out"/*.json
