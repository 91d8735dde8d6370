#!/bin/sh
# SPDX-License-Identifier: MIT
# Draws the orders of additions inside well-known sums: orders.sh BUILD OUT [ROW...]
#   ROW-N.svg     the tree, f32, n = 8, 16, ..., 1024, where it is fixed
#   orders.json   the trees of all rows and sizes
#   orders.txt    what `reductio order` says of each
# ROW is LIBRARY:NAME for a sum of an adapter, BACKEND@NAME for one of the catalogue. Rows that cannot run here are
# skipped. Run it with a python3 in the PATH that has the libraries.
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
[ $# -gt 0 ] || set -- cuda@cub_sum cuda@cub_run_to_run numpy:numpy.sum numpy:numpy.dot_ones torch:torch.sum \
    torch:torch.cumsum_last torch:torch.cuda.sum cupy:cupy.sum cupy:cupy.sum_plain jax:jax.sum jax:jax.gpu.sum \
    numba:numba.loop_fastmath numba:numba.cuda.reduce
mkdir -p "$out"
for row; do
    for n in 8 16 32 64 128 256 512 1024; do
        echo "draw $row $n"
    done
done | xargs -P "$(nproc)" -L 1 "$0" "$build" "$out"
python3 - "$out" <<'PYTHON'
import glob, json, os, sys

def place(path):  # "torch.sum-64.json": by row, then by size
    row, n = os.path.basename(path).rsplit(".", 1)[0].rsplit("-", 1)
    return row, int(n)

def take_all(ending):
    for path in sorted(glob.glob(os.path.join(sys.argv[1], "*-*" + ending)), key=place):
        with open(path) as file:
            yield file
        os.remove(path)

with open(os.path.join(sys.argv[1], "orders.txt"), "w") as out:
    for file in take_all(".txt"):
        out.writelines(line for line in file if "((" not in line)
orders = [order for file in take_all(".json") for order in json.load(file)["orders"]]
with open(os.path.join(sys.argv[1], "orders.json"), "w") as out:
    json.dump({"schema_version": 1, "kind": "orders", "orders": orders}, out, separators=(",", ":"))
    out.write("\n")
PYTHON
