# SPDX-License-Identifier: MIT
# reductio_options: warnings, and strict IEEE arithmetic everywhere (no contraction, no fast-math).
add_library(reductio_options INTERFACE)
target_include_directories(reductio_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(reductio_options INTERFACE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE>)
target_compile_options(
  reductio_options INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-ffp-contract=off;-fno-fast-math>
                             $<$<AND:$<BOOL:${REDUCTIO_WERROR}>,$<COMPILE_LANGUAGE:C,CXX>>:-Werror>)

# The harness, not the kernels, under a sanitizer: "address" or "undefined".
set(REDUCTIO_SANITIZE "" CACHE STRING "Sanitizer of the harness")
if(REDUCTIO_SANITIZE)
  target_compile_options(reductio_options INTERFACE -fsanitize=${REDUCTIO_SANITIZE} -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_link_options(reductio_options INTERFACE -fsanitize=${REDUCTIO_SANITIZE})
endif()

# reductio_test(NAME SOURCES... LIBS ...): one Check binary, one ctest test.
function(reductio_test name)
  cmake_parse_arguments(TEST "" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE reductio_options ${TEST_LIBS} Check::Check)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  # Check kills a test after 4 s unless told otherwise; ctest's own limit is the one that counts.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT "CK_DEFAULT_TIMEOUT=${TEST_TIMEOUT}")
endfunction()
