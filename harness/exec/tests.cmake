# SPDX-License-Identifier: MIT
# Programs that go wrong, then the adapters where their libraries are.
add_executable(fake_program fake_program.c)
target_link_libraries(fake_program PRIVATE reductio_options)

reductio_test(test_exec SOURCES test_exec.c LIBS reductio_harness TIMEOUT 300)
add_dependencies(test_exec fake_program reductio-worker-exec)
target_compile_definitions(test_exec PRIVATE FAKE_PROGRAM="$<TARGET_FILE:fake_program>"
                                             EXEC_WORKER="$<TARGET_FILE:reductio-worker-exec>")

add_executable(test_exec_cli test_exec_cli.c)
target_link_libraries(test_exec_cli PRIVATE test_program)
target_compile_definitions(test_exec_cli PRIVATE FAKE_PROGRAM="$<TARGET_FILE:fake_program>")
add_dependencies(test_exec_cli reductio reductio-worker-exec reductio-worker-host fake_program)
add_test(NAME test_exec_cli COMMAND test_exec_cli ${PROJECT_BINARY_DIR}/bin/reductio
                                    ${CMAKE_CURRENT_BINARY_DIR}/cli_scratch)
set_tests_properties(test_exec_cli PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=300 TIMEOUT 600 LABELS gate)
reductio_without_kernels(test_exec_cli)

# Debian's own Python first, as in reports/.
find_program(REDUCTIO_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(REDUCTIO_PYTHON python3)
foreach(name numpy fsum torch cupy jax numba)
  if(REDUCTIO_PYTHON)
    add_test(NAME adapter.${name}
             COMMAND ${REDUCTIO_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/test_adapters.py $<TARGET_FILE:reductio>
                     ${CMAKE_CURRENT_SOURCE_DIR}/adapters/sums.py ${name} ${CMAKE_CURRENT_BINARY_DIR}/adapter_${name})
    set_tests_properties(adapter.${name} PROPERTIES TIMEOUT 600 LABELS gate SKIP_RETURN_CODE 77)
  endif()
endforeach()
add_test(NAME adapters_are_installed COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_installed.sh ${CMAKE_COMMAND}
                                             ${PROJECT_BINARY_DIR}
                                             ${CMAKE_CURRENT_BINARY_DIR}/installed)
set_tests_properties(adapters_are_installed PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77)
reductio_test_costs(test_exec_cli 12 test_plugin 11 adapter.numpy 6 test_exec 5)
