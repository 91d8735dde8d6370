# SPDX-License-Identifier: MIT
# Tests of the order of additions inside the rows, and of the arrays that people bring.
reductio_test(test_order_draw SOURCES order/test_draw.c order/draw.c LIBS reductio_harness reductio_reports)
reductio_test(test_order_pattern SOURCES order/test_pattern.c LIBS reductio_harness)
reductio_test(test_npy SOURCES test_npy.c LIBS reductio_harness)

add_executable(test_heights order/test_heights.c)
target_link_libraries(test_heights PRIVATE reductio_harness Check::Check)
add_test(NAME heights COMMAND test_heights ${PROJECT_BINARY_DIR}/bin)
set_tests_properties(heights PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=900 TIMEOUT 900 LABELS gate)

foreach(test given sum)
  add_executable(test_${test} cli/test_${test}.c)
  target_link_libraries(test_${test} PRIVATE test_program)
  add_test(NAME test_${test} COMMAND test_${test} $<TARGET_FILE:reductio> ${CMAKE_CURRENT_BINARY_DIR}/${test}_scratch)
  set_tests_properties(test_${test} PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=300 TIMEOUT 600 LABELS gate)
endforeach()
