#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the orders of additions inside sums: orders.sh BUILD OUT [ROW...]
#   ROW-N.svg     the tree, f32, n = 8, 32, 1024 ($SIZES names others), where it is fixed
#   orders.json   the trees of all rows and sizes
#   orders.txt    what `reductio order` says of each
#   README.md     all of it on one page
# ROW is LIBRARY:NAME for a sum of an adapter, BACKEND@NAME for one of the catalogue, and `own` stands for the rows of
# this project that have a fixed order, on the CPU. Rows that cannot run here are skipped. OUT keeps what it holds of
# other rows, so a machine with a GPU adds CUB's to what one without has drawn. Run it with a python3 in the PATH that
# has the libraries.
set -eu
build=$1
out=$2
shift 2
reductio=$build/bin/reductio

# One row at one size; `order` refuses to draw what has no fixed order and says so.
draw() {
    case $1 in
    *@*) brought="" backend=${1%%@*} name=${1#*@} ;;
    *) brought="--exec ${1%%:*}" backend=exec name=${1#*:} ;;
    esac
    # shellcheck disable=SC2086 # two words or none
    "$reductio" order "$name" $brought --backend "$backend" --type f32 -n "$2" --jobs 1 --svg "$out/$name-$2.svg" \
        --json "$out/$name-$2.json" >"$out/$name-$2.txt" 2>&1 || true
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
for row in $(for row; do [ "$row" = own ] && echo "$own" || echo "$row"; done); do
    for n in ${SIZES:-8 32 1024}; do
        echo "draw $row $n"
    done
done | xargs -P "$(nproc)" -L 1 "$0" "$build" "$out"
python3 -B "$(dirname "$0")/orders.py" "$out"
