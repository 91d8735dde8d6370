# SPDX-License-Identifier: MIT
# reductio_options: warnings, and strict IEEE arithmetic everywhere (no contraction, no fast-math).
add_library(reductio_options INTERFACE)
target_include_directories(reductio_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(reductio_options INTERFACE $<$<COMPILE_LANGUAGE:C>:_GNU_SOURCE>)
target_compile_options(
  reductio_options INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-ffp-contract=off;-fno-fast-math>
                             $<$<AND:$<BOOL:${REDUCTIO_WERROR}>,$<COMPILE_LANGUAGE:C,CXX>>:-Werror>)

# The harness and the kernels that are right under a sanitizer: "address", "undefined" or "address,undefined".
set(REDUCTIO_SANITIZE "" CACHE STRING "Sanitizer of the harness")
if(REDUCTIO_SANITIZE)
  target_compile_options(reductio_options INTERFACE -fsanitize=${REDUCTIO_SANITIZE} -fno-sanitize-recover=all
                                                    -fno-omit-frame-pointer)
  target_link_options(reductio_options INTERFACE -fsanitize=${REDUCTIO_SANITIZE})
endif()

# What can be tested without compiling the kernels, which takes as long as all else: a target, and a label for ctest.
add_custom_target(tests_without_kernels)
function(reductio_without_kernels)
  foreach(name ${ARGN})
    add_dependencies(tests_without_kernels ${name})
    set_property(TEST ${name} APPEND PROPERTY LABELS without_kernels)
  endforeach()
endfunction()

# reductio_test_costs(NAME SECONDS ...): what tests take, about. ctest starts the longest first, so that none is left over
# for one processor at the end; from the second run on it knows by itself. Tests that are not there are passed over.
function(reductio_test_costs)
  while(ARGN)
    list(POP_FRONT ARGN name seconds)
    if(TEST ${name})
      set_tests_properties(${name} PROPERTIES COST ${seconds})
    endif()
  endwhile()
endfunction()

# reductio_test(NAME SOURCES... LIBS ...): one Check binary, one ctest test. KERNELS: it is of the kernels.
function(reductio_test name)
  cmake_parse_arguments(TEST "KERNELS" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE reductio_options ${TEST_LIBS} Check::Check)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  if(REDUCTIO_SANITIZE)
    math(EXPR TEST_TIMEOUT "5 * ${TEST_TIMEOUT}") # what a sanitizer costs at the most
  endif()
  # Check kills a test after 4 s unless told otherwise; ctest's own limit is the one that counts.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT "CK_DEFAULT_TIMEOUT=${TEST_TIMEOUT}")
  if(NOT TEST_KERNELS)
    reductio_without_kernels(${name})
  endif()
endfunction()
