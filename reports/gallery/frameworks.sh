#!/bin/sh
# SPDX-License-Identifier: MIT
# Records what the frameworks' sums really do: frameworks.sh BUILD OUT [LIBRARY...]
#   frameworks.json, frameworks.html   the full tier on every sum of every adapter whose library is here
#   frameworks.txt                     the same on a terminal, and which libraries are missing
# LIBRARY: numpy, fsum, torch, cupy, jax, numba; all of them if none is named. Run it with a python3 in the PATH that
# has them. `python3 reports/gallery/tables.py OUT/frameworks.json.gz` then prints the table.
set -eu
build=$1
out=$2
shift 2
[ $# -gt 0 ] || set -- numpy fsum torch cupy jax numba
mkdir -p "$out"
reductio=$build/bin/reductio
: >"$out/frameworks.txt"

# A library that is missing ends a run; here it is left out with its reason.
for library; do
    "$reductio" list variants --exec "$library" >/dev/null 2>"$out/$library.missing" && rm "$out/$library.missing" &
done
wait
programs=""
for library; do
    if [ -e "$out/$library.missing" ]; then
        cat "$out/$library.missing" >>"$out/frameworks.txt"
        rm "$out/$library.missing"
    else
        programs="$programs --exec $library"
    fi
done
[ -n "$programs" ] || { cat "$out/frameworks.txt"; exit 77; }
# shellcheck disable=SC2086 # two words a program
"$reductio" run $programs --tier full --quiet --json "$out/frameworks.json" --html "$out/frameworks.html" \
    >>"$out/frameworks.txt" 2>&1
gzip -9f "$out/frameworks.json"
