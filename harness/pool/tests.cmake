# SPDX-License-Identifier: MIT
# Two workers for the tests of both ends of the protocol: one that goes wrong on demand, and a real one on the host
# backend with variants that do.
add_executable(fake_worker pool/fake_worker.c)
target_link_libraries(fake_worker PRIVATE reductio_options)

reductio_variant_objects(test_variant host FILES ${CMAKE_CURRENT_SOURCE_DIR}/worker/test_variant_right.c
                         SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/worker/test_variant_right.c)
add_executable(test_worker_host worker/test_variants.c ${test_variant_OBJECTS})
target_link_libraries(test_worker_host PRIVATE reductio_options reductio_worker reductio_host)

add_library(test_fakes STATIC pool/test_fakes.c)
target_link_libraries(test_fakes PUBLIC reductio_harness Check::Check)
target_compile_definitions(test_fakes PUBLIC FAKE_WORKER="$<TARGET_FILE:fake_worker>")
add_dependencies(test_fakes fake_worker)
foreach(name test_patience test_pool test_second_worker test_worker_start)
  reductio_test(${name} SOURCES pool/${name}.c LIBS test_fakes)
endforeach()

add_library(test_worker_support STATIC worker/test_worker_support.c)
target_link_libraries(test_worker_support PUBLIC reductio_harness Check::Check)
target_compile_definitions(test_worker_support PUBLIC TEST_WORKER="$<TARGET_FILE:test_worker_host>")
add_dependencies(test_worker_support test_worker_host)
foreach(name test_worker test_worker_coverage test_worker_time)
  reductio_test(${name} SOURCES worker/${name}.c LIBS test_worker_support m)
endforeach()

foreach(source pool/test_shelf test_cards test_catalog_rows test_runner)
  get_filename_component(name ${source} NAME)
  reductio_test(${name} SOURCES ${source}.c LIBS reductio_harness)
  add_dependencies(${name} fake_worker test_worker_host)
  target_compile_definitions(${name} PRIVATE FAKE_WORKER="$<TARGET_FILE:fake_worker>"
                                             TEST_WORKER="$<TARGET_FILE:test_worker_host>")
endforeach()
target_link_libraries(test_runner PRIVATE reductio_reports)
target_link_options(test_runner PRIVATE "LINKER:--wrap=dataset_fill,--wrap=exact_sum,--wrap=exact_sum_parallel")
reductio_test(test_memory_file SOURCES test_memory_file.c LIBS reductio_harness)
reductio_test(test_finding SOURCES test_finding.c LIBS reductio_finding)

set(own_names ${CMAKE_CURRENT_SOURCE_DIR}/own/test_names.cu)
reductio_translate_variants(own_names_source ${own_names})
reductio_variant_objects(own_names simt FILES ${own_names} SOURCES ${own_names_source} LIBS reductio_simt_headers
                         DEFINITIONS REDUCTIO_DEVICE_SOURCE OPTIONS -O0)
reductio_test(test_own_names SOURCES own/test_names.c ${own_names_OBJECTS} LIBS reductio_simt)
