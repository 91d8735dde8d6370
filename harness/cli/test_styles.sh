#!/bin/sh
# SPDX-License-Identifier: MIT
# Files in the styles of other people compile with nvcc, as `reductio check FILE` would have it, also where no GPU is
# there to run them: what simt takes and nvcc refuses would be found by nobody else.
# test_styles.sh NVCC KIT STYLES SCRATCH
# $LAUNCHER stands before nvcc, as in the build: where that is a cache, what has not changed is compiled once.
set -eu
nvcc=$1 kit=$2 styles=$3 scratch=$4
if ! [ -x "$nvcc" ]; then
    echo "There is no nvcc."
    exit 77
fi
rm -rf "$scratch"
mkdir -p "$scratch"
failed=
for file in "$styles"/*.cu; do
    for type in $(sed -n 's|^// Types: ||p' "$file" | grep . || echo f32 f64); do
        case $type in
        f32) in=float out=float tag=f32 ;;
        f64) in=double out=double tag=f64 ;;
        f32:f64) in=float out=double tag=f32_f64 ;;
        *) echo "${file##*/} has a type that this test does not know: $type" && exit 1 ;;
        esac
        ${LAUNCHER:-} "$nvcc" -arch=sm_90 "-DREDUCTIO_IN=$in" "-DREDUCTIO_OUT=$out" "-DREDUCTIO_TYPE=\"$type\"" \
            "-DREDUCTIO_TAG=$tag" -DREDUCTIO_BACKEND=cuda -DREDUCTIO_DEVICE_SOURCE -DREDUCTIO_REGISTERS_ITSELF \
            -Dmain=reductio_program_of_its_own -I "$kit/include" -c "$file" -o "$scratch/style.o" ||
            failed="$failed ${file##*/}/$type"
    done
done
[ -z "$failed" ] || { echo "nvcc refuses$failed"; exit 1; }
