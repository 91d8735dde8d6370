# SPDX-License-Identifier: MIT
# Two workers for the tests of both ends of the protocol: one that goes wrong on demand, and a real one on the host
# backend with variants that do.
add_executable(fake_worker fake_worker.c)
target_link_libraries(fake_worker PRIVATE reductio_options)

reductio_variant_objects(test_variant host FILES ${CMAKE_CURRENT_SOURCE_DIR}/test_variant_right.c
                         SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/test_variant_right.c)
add_executable(test_worker_host test_variants.c ${test_variant_OBJECTS})
target_link_libraries(test_worker_host PRIVATE reductio_options reductio_worker reductio_host)

foreach(name pool patience shelf worker cards catalog_rows runner)
  reductio_test(test_${name} SOURCES test_${name}.c LIBS reductio_harness)
  add_dependencies(test_${name} fake_worker test_worker_host)
  target_compile_definitions(test_${name} PRIVATE FAKE_WORKER="$<TARGET_FILE:fake_worker>"
                                                  TEST_WORKER="$<TARGET_FILE:test_worker_host>")
endforeach()
target_link_libraries(test_runner PRIVATE reductio_reports)
target_link_options(test_runner PRIVATE "LINKER:--wrap=dataset_fill,--wrap=exact_sum,--wrap=exact_sum_parallel")
reductio_test(test_memory_file SOURCES test_memory_file.c LIBS reductio_harness)
reductio_test(test_finding SOURCES test_finding.c LIBS reductio_finding)

set(own_names ${CMAKE_CURRENT_SOURCE_DIR}/test_own_names.cu)
reductio_translate_variants(own_names_source ${own_names})
reductio_variant_objects(own_names simt FILES ${own_names} SOURCES ${own_names_source} LIBS reductio_simt_headers
                         DEFINITIONS REDUCTIO_DEVICE_SOURCE OPTIONS -O0)
reductio_test(test_own_names SOURCES test_own_names.c ${own_names_OBJECTS} LIBS reductio_simt)
