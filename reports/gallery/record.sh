#!/bin/sh
# SPDX-License-Identifier: MIT
# Records the gallery on a machine with a GPU: record.sh BUILD OUT [PART...], from the root of the repository, with
# nothing else on the machine. Each part has its own limit and leaves its own files; without a part, all are recorded
# in this order:
#   smoke      180 s  smoke.json, .html, .txt       the smoke gate on every backend, with the machine's own answers
#   study      480 s  study.json, .txt              1000 runs, idle and busy, and all other attacks, n = 65536
#   large      120 s  large.json, .txt              1000 runs at n = 2^22, where more blocks compete
#   bench      480 s  bench.json, .txt              times against n, 2^10 to 2^28, all rows
#   kinds      240 s  kinds.json, .txt              times of exact_bins and CUB's sums on four kinds of data
#   shapes     180 s  shapes.json, .txt             times against threads a block and blocks a grid, n = 2^26
#   selftest   300 s  selftest-{cpu,gpu}.json       the planted faults, on the emulator and on the GPU
#   sanitizer  300 s  sanitizer.json                compute-sanitizer's four tools on every variant
#   ncu        180 s  conflicts.json                bank conflicts of the tutorial's ladder
#   full       540 s  full.json, .html, .txt        the full tier on every backend
#   frameworks 360 s  frameworks.json, .html, .txt  the sums of NumPy, PyTorch, CuPy, JAX, Numba, where they are
#   cpu        300 s  cpu.json, .txt                the exact sum, a barrier of simt and a cell on the CPU, beside others'
#                                                   (HIP_CPU=DIR: its sources; it needs no GPU, and a quiet machine)
#   orders     300 s  orders/*.svg, .json, .txt     the orders of additions inside well-known sums, n = 8 to 1024
# JSON is compressed. record.txt has a line a part: seconds and exit code (124: its time was over; what it had done until
# then is written all the same). Ends with 1 if a part did.
set -u
[ $# -ge 2 ] || { sed -n '3,23p' "$0" >&2; exit 2; }
build=$1
out=$2
shift 2
[ $# -gt 0 ] || set -- smoke study large bench kinds shapes selftest sanitizer ncu full frameworks cpu orders
reductio=$build/bin/reductio
here=$(dirname "$0")
mkdir -p "$out"
failed=0
also_fine=0

# step LIMIT TEXT-FILE COMMAND...: standard output and errors go to the file. An interrupt lets reductio write its files.
step() {
    limit=$1
    text=$2
    shift 2
    start=$(date +%s)
    timeout -s INT -k 20 "$limit" "$@" >"$out/$text" 2>&1
    code=$?
    echo "$part $(($(date +%s) - start)) s, exit $code: $*" | sed "s|$build/bin/||; s|$out/||g" | tee -a "$out/record.txt"
    case "$code" in 0|77|"$also_fine") ;; *) failed=1 ;; esac
}

rows="atomic_per_element grid_stride two_level single_pass_last_block kahan exact_bins binned_fold3 cub_* thrust_reduce"
for part in "$@"; do
    set -f # the rows are globs of the program's, not of the shell's
    case "$part" in
    smoke)
        step 180 smoke.txt "$reductio" check --tier smoke --quiet --json "$out/smoke.json" --html "$out/smoke.html"
        ;;
    study)
        # shellcheck disable=SC2086 # one word a row
        step 480 study.txt "$reductio" study $rows --backend cuda --busy -n 65536 --quiet --json "$out/study.json"
        ;;
    large)
        step 120 large.txt "$reductio" study atomic_per_element grid_stride cub_sum cub_not_guaranteed --backend cuda \
            --type f32 --case uniform --busy --vary run,placement --quiet --json "$out/large.json"
        ;;
    bench)
        step 480 bench.txt "$reductio" bench --backend cuda --quiet --json "$out/bench.json"
        ;;
    kinds)
        step 240 kinds.txt "$reductio" bench exact_bins cub_sum cub_gpu_to_gpu --backend cuda --type f32 --type f64 \
            --case uniform --case normal --case cancel_pairs --case full_range --sizes 2^20,2^27,2^28 --quiet \
            --json "$out/kinds.json"
        ;;
    shapes)
        step 180 shapes.txt "$reductio" bench grid_stride kahan double_word exact_expansion exact_bins tree_sequential \
            warp_shuffle two_level --backend cuda --type f32 --shapes --sizes 2^26 --samples 20 --quiet \
            --json "$out/shapes.json"
        ;;
    selftest)
        step 120 selftest-cpu.txt "$reductio" selftest --quiet --json "$out/selftest-cpu.json"
        also_fine=1 # a race may happen to pass on hardware: that is what the table is to show
        # A trespass costs a new worker, hence a CUDA context: a few inputs of each kind will do.
        step 180 selftest-gpu.txt "$reductio" selftest --backend cuda --type f32 --type f32:f64 --case coverage \
            --case uniform --case ones --case symmetric --case cond1e8 --case stagnation --case kahan_trap \
            --case growing --case minus_zeros --case inf_first --case inf_last --case nan_middle --case subnormals_up --quiet \
            --json "$out/selftest-gpu.json"
        also_fine=0
        ;;
    sanitizer)
        step 300 sanitizer.txt python3 -B "$here/sanitize.py" "$build" -o "$out/sanitizer.json"
        ;;
    ncu)
        step 180 ncu.txt python3 -B "$here/bank_conflicts.py" "$build" -o "$out/conflicts.json"
        ;;
    full)
        step 540 full.txt "$reductio" run --tier full --quiet --json "$out/full.json" --html "$out/full.html"
        ;;
    frameworks)
        step 360 frameworks.log sh "$here/frameworks.sh" "$build" "$out"
        ;;
    cpu)
        step 300 cpu.txt python3 -B "$here/cpu.py" "$build" -o "$out/cpu.json" ${HIP_CPU:+--hip-cpu "$HIP_CPU"}
        [ ! -f "$out/cpu.json" ] || python3 -B "$here/tables.py" "$out/cpu.json" >"$out/cpu.txt"
        ;;
    orders)
        step 300 orders.log "$here/orders.sh" "$build" "$out/orders"
        ;;
    *)
        echo "record.sh: there is no part \"$part\"." >&2
        exit 2
        ;;
    esac
    set +f
    for file in "$out"/*.json; do
        [ ! -f "$file" ] || gzip -9f "$file"
    done
done
exit $failed
