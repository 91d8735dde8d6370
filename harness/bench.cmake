# SPDX-License-Identifier: MIT
# `cmake --build BUILD --target bench`: what the harness itself costs (the truth, a barrier, cells), then the rows on every
# backend that is there.
set(REDUCTIO_HIP_CPU_DIR "" CACHE PATH "Sources of HIP-CPU, to be timed beside simt by the target bench")
set(REDUCTIO_BENCH_BARRIERS bench_simt)
if(REDUCTIO_HIP_CPU_DIR)
  set(REDUCTIO_BENCH_BARRIERS ${PROJECT_SOURCE_DIR}/harness/simt/compare_hip_cpu.sh ${PROJECT_BINARY_DIR} ${REDUCTIO_HIP_CPU_DIR})
endif()
add_custom_target(
  bench
  COMMAND bench_exact_sum
  COMMAND ${REDUCTIO_BENCH_BARRIERS}
  COMMAND ${PROJECT_SOURCE_DIR}/harness/bench_cells.sh $<TARGET_FILE:reductio>
  COMMAND reductio bench --json ${PROJECT_BINARY_DIR}/bench.json --csv ${PROJECT_BINARY_DIR}/bench.csv
          --html ${PROJECT_BINARY_DIR}/bench.html
  DEPENDS bench_simt reductio-worker-host reductio-worker-simt
  USES_TERMINAL VERBATIM)
if(TARGET reductio-worker-cuda)
  add_dependencies(bench reductio-worker-cuda)
endif()
