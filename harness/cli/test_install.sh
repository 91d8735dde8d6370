#!/bin/sh
# SPDX-License-Identifier: MIT
# test_install.sh CMAKE BUILD SCRATCH: installs the build into an empty prefix, and goes from an empty folder to a verdict
# with nothing but what is installed.
set -eu
cmake=$1 build=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch/empty"
"$cmake" --install "$build" --prefix "$scratch/prefix" >"$scratch/install.txt"
test -f "$scratch/prefix/include/reductio.h"
mv "$scratch/prefix" "$scratch/moved" # an installation may be moved
cd "$scratch/empty"
PATH=$scratch/moved/bin:$PATH XDG_CACHE_HOME=$scratch/cache
export PATH XDG_CACHE_HOME
unset REDUCTIO_WORKERS
reductio list backends
reductio new first
reductio check first.cu --quiet --json first.json
grep -q '"arguments":"first.cu"' first.json
reductio check host_kahan --quiet --type f32 --case integers
code=0
reductio hazards first.cu --quiet --type f32 || code=$?
test "$code" = 0 || test "$code" = 77 # 77: this compiler has no sanitizers

# An installation builds no kernels: what is not there is said, and nothing checked is no pass.
rm -f "$scratch"/moved/libexec/reductio/reductio-worker-simt-?san
code=0
reductio hazards two_level --quiet --type f32 2>said.txt || code=$?
test "$code" = 77
grep -q 'nothing is checked under asan: it was not built' said.txt
reductio selftest sums_in_place last_block_no_fence --quiet --type f32 >said.txt
grep -q '^1 of 1 planted faults caught; 1 not tried\.$' said.txt
code=0
reductio selftest last_block_no_fence --quiet --type f32 >said.txt || code=$?
test "$code" = 77
grep -q 'not tried last_block_no_fence@simt/f32: no backend took part on which tsan must find it' said.txt
rm -f "$scratch"/moved/lib/reductio/libreductio_simt_?san.a
code=0
reductio hazards first.cu --quiet --type f32 2>said.txt || code=$?
test "$code" = 77
grep -q 'nothing is checked: this Reductio was built without ThreadSanitizer and AddressSanitizer' said.txt

sed -i 's/i < n; i +=/i + 1 < n; i +=/' first.cu
code=0
reductio check first.cu --backend simt --quiet >broken.txt || code=$?
test "$code" = 1
grep -q 'lost elements' broken.txt
