#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the orders of additions inside sums: orders.sh BUILD OUT [ROW...]
#   ROW-N.svg     the tree, f32, n = 8, 32, 1024 ($SIZES names others), where it is fixed
#   orders.json   the trees of all rows and sizes, with the commit, machine and library versions of each
#   orders.txt    what `reductio order` says of each
#   README.md     all of it on one page
# ROW is LIBRARY:NAME for a sum of an adapter, BACKEND@NAME for one of the catalogue, and `own` stands for the rows of
# this project that have a fixed order, on the CPU. Rows that cannot run here are skipped, with the reason; any other
# failure is told and ends this with 1, after all else was drawn. OUT keeps what it holds of
# other rows, so a machine with a GPU adds CUB's to what one without has drawn. Run it with a python3 in the PATH that
# has the libraries.
set -eu
build=$1
out=$2
shift 2
reductio=$build/bin/reductio

# "--exec torch", or "--backend cuda": what has the rows
source_of() {
    case $1 in
    *@*) echo "--backend ${1%%@*}" ;;
    *) echo "--exec ${1%%:*}" ;;
    esac
}

# Why nothing of a row's library or backend can run here; nothing where it can.
absence_of() {
    case $1 in
    *@*) "$reductio" list backends | sed -n "s/^${1%%@*}: absent: //p" ;;
    *) if ! why=$("$reductio" list variants --exec "${1%%:*}" 2>&1 >/dev/null); then echo "$why"; fi ;;
    esac
}

# One row at one size. Three ends are expected: its order is told (0), or told with a contradicted claim (1), or told
# and, as it is not fixed, not drawn (2). A row that this machine lacks the device for says "not run".
draw() {
    name=${1#*[:@]}
    file=$out/$name-$2
    backend=""
    case $1 in *:*) backend="--backend exec" ;; esac
    rm -f "$file.json"
    code=0
    # shellcheck disable=SC2046,SC2086 # two words each
    "$reductio" order "$name" $(source_of "$1") $backend --type f32 -n "$2" --jobs 1 --svg "$file.svg" \
        --json "$file.json" >"$file.txt" 2>&1 || code=$?
    if grep -q '^    not run: ' "$file.txt"; then
        echo "orders.sh: $1 is skipped:$(sed -n 's/^    not run://p' "$file.txt")" >&2
        rm -f "$file.json" "$file.txt"
    elif ! grep -q '"hash"\|"why"' "$file.json" 2>/dev/null; then
        code=fault
    elif [ $code = 2 ] && grep -q -e '--svg wants one row with a fixed order' "$file.txt"; then
        rm -f "$file.svg" # of an earlier recording
    elif [ $code != 0 ] && [ $code != 1 ]; then
        code=fault
    fi
    if [ $code = fault ]; then
        echo "orders.sh: $1 at n = $2 failed:" >&2
        sed 's/^/    /' "$file.txt" >&2
        rm -f "$file.json" "$file.txt"
        return 1
    fi
}

if [ "${1:-}" = draw ]; then
    draw "$2" "$3"
    exit
fi
[ $# -gt 0 ] || set -- own cuda@cub_sum cuda@cub_run_to_run numpy:numpy.sum numpy:numpy.dot_ones torch:torch.sum \
    torch:torch.cumsum_last torch:torch.cuda.sum cupy:cupy.sum cupy:cupy.sum_plain jax:jax.sum jax:jax.gpu.sum \
    numba:numba.loop_fastmath numba:numba.cuda.reduce
mkdir -p "$out"
own="host@host_sequential host@host_pairwise simt@tree_modulo simt@tree_strided simt@tree_sequential simt@tree_two_loads
    simt@tree_warp_unrolled simt@tree_cooperative_groups simt@warp_shuffle simt@two_level simt@two_level_serial
    simt@single_pass_last_block simt@grid_stride simt@f64_accumulator"
rows=""
asked=""
for row in $(for given; do [ "$given" = own ] && echo "$own" || echo "$given"; done); do
    source=$(source_of "$row")
    case "$asked" in
    *"[$source]"*) ;;
    *)
        asked="${asked}[$source]"
        why=$(absence_of "$row")
        [ -z "$why" ] || { echo "orders.sh: all of $source is skipped: $why" >&2; asked="${asked}[no $source]"; }
        ;;
    esac
    case "$asked" in *"[no $source]"*) ;; *) rows="$rows $row" ;; esac
done
failed=0
for row in $rows; do
    for n in ${SIZES:-8 32 1024}; do
        echo "draw $row $n"
    done
done | xargs -r -P "$(nproc)" -L 1 "$0" "$build" "$out" || failed=1
python3 -B "$(dirname "$0")/orders.py" "$out"
exit $failed
