# SPDX-License-Identifier: MIT
# Tests of the harness, and the gates as tests of their own.

reductio_test(test_cell SOURCES test_cell.c LIBS reductio_harness)
reductio_test(test_hardware SOURCES test_hardware.c LIBS reductio_harness m)
reductio_test(test_known SOURCES test_known.c LIBS reductio_harness)
reductio_test(test_order SOURCES order/test_order.c LIBS reductio_harness m)
reductio_test(test_stall SOURCES test_stall.c LIBS reductio_harness m)
reductio_test(test_support SOURCES test_support.c LIBS reductio_harness)
reductio_test(test_throughput SOURCES test_throughput.c LIBS reductio_harness)
reductio_test(test_plan SOURCES test_plan.c LIBS reductio_harness)
reductio_test(test_plan_identity SOURCES test_plan_identity.c LIBS reductio_harness)
reductio_test(test_unclaimed SOURCES test_unclaimed.c LIBS reductio_harness)
reductio_test(test_verdict SOURCES test_verdict.c LIBS reductio_harness m)
reductio_test(test_verdict_sentence SOURCES test_verdict_sentence.c LIBS reductio_harness)

add_executable(test_catalogue test_catalogue.c)
target_link_libraries(test_catalogue PRIVATE reductio_harness Check::Check)
add_test(NAME test_catalogue COMMAND test_catalogue ${PROJECT_BINARY_DIR}/bin ${PROJECT_SOURCE_DIR}/kernels)
set_tests_properties(test_catalogue PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=100)

reductio_test(test_search SOURCES cli/test_search.c cli/search_mutate.c LIBS reductio_harness m)

add_library(test_program STATIC cli/test_program.c cli/test_background.c)
target_link_libraries(test_program PUBLIC reductio_options Check::Check PRIVATE Jansson::Jansson)
foreach(test cli cli_files foreign_words gate options)
  add_executable(test_${test} cli/test_${test}.c)
  target_link_libraries(test_${test} PRIVATE test_program)
  add_test(NAME test_${test} COMMAND test_${test} $<TARGET_FILE:reductio> ${CMAKE_CURRENT_BINARY_DIR}/${test}_scratch)
  set_tests_properties(test_${test} PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=300 TIMEOUT 600 LABELS gate)
endforeach()

# Debian's own Python first: it has the packages that the tests ask for.
find_program(REDUCTIO_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(REDUCTIO_PYTHON python3)
if(REDUCTIO_PYTHON)
  add_test(NAME test_recipes COMMAND ${REDUCTIO_PYTHON} ${PROJECT_SOURCE_DIR}/reports/test_recipes.py $<TARGET_FILE:reductio>
                                     ${PROJECT_SOURCE_DIR}/reports/RECIPES.md)
  set_tests_properties(test_recipes PROPERTIES TIMEOUT 600 LABELS gate SKIP_RETURN_CODE 77)
endif()

# The smoke gate runs once; each variant is then a test of its own that reads what the one run says of claims.
set(smoke_json ${PROJECT_BINARY_DIR}/smoke.json)
set(smoke_claims ${PROJECT_BINARY_DIR}/smoke_claims.json)
add_test(NAME gate COMMAND reductio check --tier smoke --known ${PROJECT_SOURCE_DIR}/reductio-known.txt --json ${smoke_json}
                              --claims ${smoke_claims} --html ${PROJECT_BINARY_DIR}/smoke.html)
add_test(NAME selftest COMMAND reductio selftest --tier smoke --json ${PROJECT_BINARY_DIR}/selftest.json
                                   --html ${PROJECT_BINARY_DIR}/selftest.html)
# What the machine does, on every backend at hand.
add_test(NAME hardware COMMAND reductio hardware --json ${PROJECT_BINARY_DIR}/hardware.json)
set_tests_properties(hardware PROPERTIES TIMEOUT 120 LABELS gate)
set_tests_properties(gate selftest PROPERTIES TIMEOUT 900 LABELS gate SKIP_RETURN_CODE 77 RUN_SERIAL ON)

file(GLOB variant_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cu ${PROJECT_SOURCE_DIR}/kernels/*.c
     ${PROJECT_SOURCE_DIR}/kernels/vendor/*.cu)
foreach(file ${variant_files})
  get_filename_component(name ${file} NAME_WE)
  add_test(NAME variant.${name} COMMAND reductio verdict ${smoke_claims} ${name})
  set_tests_properties(variant.${name} PROPERTIES DEPENDS gate LABELS gate SKIP_RETURN_CODE 77)
endforeach()

# Every real variant under the sanitizers, small cells; and what the faults among them must be told for.
if("tsan" IN_LIST REDUCTIO_HAZARD_KINDS AND "asan" IN_LIST REDUCTIO_HAZARD_KINDS)
  add_executable(test_hazards cli/test_hazards.c)
  target_link_libraries(test_hazards PRIVATE reductio_options Check::Check)
  add_test(NAME test_hazards COMMAND test_hazards $<TARGET_FILE:reductio> ${PROJECT_BINARY_DIR}/hazards.json)
  set_tests_properties(test_hazards PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=100 TIMEOUT 600 LABELS gate)
  add_test(NAME test_hazard_build COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_hazard_build.sh $<TARGET_FILE:reductio> asan
                                          ${CMAKE_CURRENT_BINARY_DIR}/hazard_build_scratch)
  set_tests_properties(test_hazard_build PROPERTIES TIMEOUT 600 LABELS gate RUN_SERIAL ON)
else()
  add_test(NAME hazards COMMAND reductio hazards --json ${PROJECT_BINARY_DIR}/hazards.json --quiet)
  set_tests_properties(hazards PROPERTIES TIMEOUT 600 LABELS gate SKIP_RETURN_CODE 77)
endif()
