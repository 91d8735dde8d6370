#!/bin/sh
# SPDX-License-Identifier: MIT
# One barrier of one thread on simt and on HIP-CPU (github.com/ROCm/HIP-CPU, which needs libtbb-dev), on one core in turn:
#   harness/simt/compare_hip_cpu.sh BUILD HIP_CPU_SOURCE [ROUNDS]
# bench_simt.cu is rewritten for HIP, so that both run the same kernel and count the same processor time.
set -eu
build=$1
hip=$2
rounds=${3:-5}
folder=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed -e 's|<cuda_runtime.h>|<hip/hip_runtime.h>|' \
    -e 's|extern "C" const char simt_fiber_kind\[\];|static const char simt_fiber_kind[] = "HIP-CPU";|' \
    -e 's|static __global__|__global__|' \
    -e 's|extern __shared__ float shared\[\];|HIP_DYNAMIC_SHARED(float, shared);|' \
    -e 's|sum_blocks<<<\([^,]*\), \([^,]*\), \([^>]*\)>>>(\(.*\));|hipLaunchKernelGGL(sum_blocks, dim3(\1), dim3(\2), \3, nullptr, \4); hipDeviceSynchronize();|' \
    -e 's|cudaGetLastError() != cudaSuccess|hipGetLastError() != hipSuccess|' "$folder/bench_simt.cu" >"$scratch/bench.cpp"
${CXX:-g++} -std=c++17 -O3 -I"$hip/include" -o "$scratch/bench_hip" "$scratch/bench.cpp" -ltbb -lpthread
for _ in $(seq "$rounds"); do
    taskset -c 0 "$build/harness/simt/bench_simt"
    taskset -c 0 "$scratch/bench_hip"
done | awk '{
    print
    who = /HIP-CPU/ ? "hip" : "simt"
    match($0, /[0-9]+ threads/)
    threads = substr($0, RSTART, RLENGTH) + 0
    match($0, /[0-9.]+ million/)
    rate = substr($0, RSTART, RLENGTH) + 0
    if (rate > best[who, threads]) best[who, threads] = rate
    sizes[threads]
}
END {
    for (threads in sizes)
        printf "%4d threads a block: simt %.1f, HIP-CPU %.1f million thread-barriers a second (best of each); ratio %.2f\n",
               threads, best["simt", threads], best["hip", threads], best["simt", threads] / best["hip", threads]
}'
