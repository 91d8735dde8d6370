# SPDX-License-Identifier: MIT
# `cmake --build BUILD --target bench`: what the harness itself costs (the truth, a barrier, cells), then the rows on every
# backend that is there.
add_custom_target(
  bench
  COMMAND bench_exact_sum
  COMMAND bench_simt
  COMMAND ${PROJECT_SOURCE_DIR}/harness/bench_cells.sh $<TARGET_FILE:reductio>
  COMMAND reductio bench --json ${PROJECT_BINARY_DIR}/bench.json --csv ${PROJECT_BINARY_DIR}/bench.csv
          --html ${PROJECT_BINARY_DIR}/bench.html
  DEPENDS reductio-worker-host reductio-worker-simt
  USES_TERMINAL VERBATIM)
if(TARGET reductio-worker-cuda)
  add_dependencies(bench reductio-worker-cuda)
endif()
