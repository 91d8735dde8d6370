# SPDX-License-Identifier: MIT
# What `reductio check MINE.cu` builds with: the kit of libraries and headers, in the build folder as in an installation,
# and the options that the C++ compiler is given there.

add_library(reductio_own STATIC own/register.c)
target_link_libraries(reductio_own PUBLIC reductio_options)

set(kit ${PROJECT_BINARY_DIR}/lib/reductio)
set(kit_libraries reductio_worker reductio_own reductio_guarded reductio_float_type reductio_simt)
foreach(kind ${REDUCTIO_HAZARD_KINDS})
  list(APPEND kit_libraries reductio_simt_${kind})
endforeach()
if(TARGET reductio_cuda)
  list(APPEND kit_libraries reductio_cuda)
else()
  file(REMOVE ${kit}/libreductio_cuda.a) # of a build folder that had CUDA before
endif()
set(kit_files "")
foreach(library ${kit_libraries})
  get_target_property(real ${library} ALIASED_TARGET)
  if(NOT real)
    set(real ${library})
  endif()
  add_custom_command(
    OUTPUT ${kit}/lib${library}.a
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${real}> ${kit}/lib${library}.a
    DEPENDS ${real}
    VERBATIM)
  list(APPEND kit_files ${kit}/lib${library}.a)
endforeach()

# Headers keep their places; what a user's file includes stands in front besides.
file(GLOB_RECURSE kit_headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/simt/include/*)
set(public_headers reductio.h reductio_launch.h reductio_plugin.h)
list(TRANSFORM public_headers PREPEND harness/ OUTPUT_VARIABLE own_headers)
foreach(header ${own_headers} harness/simt/machine.h harness/simt/runtime.h reference/float_16.h
               ${kit_headers})
  add_custom_command(
    OUTPUT ${kit}/include/${header}
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/${header} ${kit}/include/${header}
    DEPENDS ${PROJECT_SOURCE_DIR}/${header}
    VERBATIM)
  list(APPEND kit_files ${kit}/include/${header})
endforeach()
foreach(header ${public_headers})
  add_custom_command(
    OUTPUT ${kit}/include/${header}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${kit}/include/${header}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${header}
    VERBATIM)
  list(APPEND kit_files ${kit}/include/${header})
endforeach()
add_custom_target(reductio_kit ALL DEPENDS ${kit_files})
add_dependencies(reductio_kit reductio-simt-translate)

# Lists as initialisers of C: "-a", "-b", and nothing for none.
function(reductio_c_words out)
  set(text "")
  foreach(word ${ARGN})
    string(REPLACE "\"" "\\\"" word "${word}")
    string(APPEND text "\"${word}\", ")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

get_target_property(simt_definitions reductio_simt_headers INTERFACE_COMPILE_DEFINITIONS)
set(own_simt_options -ffp-contract=off -fno-fast-math)
if(simt_definitions MATCHES "REDUCTIO_SIMT_ALIGNMENT")
  list(APPEND own_simt_options -fsanitize=alignment -DREDUCTIO_SIMT_ALIGNMENT)
endif()
set(own_link_options "")
if(REDUCTIO_SANITIZE)
  list(APPEND own_link_options -fsanitize=${REDUCTIO_SANITIZE})
endif()
get_target_property(own_fiber_libraries reductio_simt INTERFACE_LINK_LIBRARIES)
set(own_boost "")
if(own_fiber_libraries MATCHES "BoostContext")
  set(own_boost ${BoostContext_BoostContext_boost_context})
endif()
list(TRANSFORM kit_files REPLACE "^${kit}/" "" OUTPUT_VARIABLE kit_words)
list(FILTER kit_words EXCLUDE REGEX "_(cuda|tsan|asan)[.]a$") # without one of these, that backend is not built for
reductio_c_words(kit_words ${kit_words})
reductio_c_words(simt_words ${own_simt_options})
reductio_c_words(tsan_words ${REDUCTIO_HAZARD_OPTIONS_tsan})
reductio_c_words(asan_words ${REDUCTIO_HAZARD_OPTIONS_asan})
reductio_c_words(link_words ${own_link_options})
reductio_c_words(fiber_words ${own_boost})
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/harness/own_kit.h @ONLY CONTENT "// Written by CMake.
#define OWN_CXX \"@CMAKE_CXX_COMPILER@\"
#define OWN_NVCC \"@CMAKE_CUDA_COMPILER@\"
#define OWN_KIT_FILES @kit_words@
#define OWN_SIMT_OPTIONS @simt_words@
#define OWN_TSAN_OPTIONS @tsan_words@
#define OWN_ASAN_OPTIONS @asan_words@
#define OWN_LINK_OPTIONS @link_words@
#define OWN_FIBER_LIBRARIES @fiber_words@
")

# An installation: the program and its workers, the kit, and reductio.h where a compiler looks by itself.
include(GNUInstallDirs)
install(TARGETS reductio RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(installed_workers reductio-simt-translate reductio-worker-host reductio-worker-simt)
foreach(kind ${REDUCTIO_HAZARD_KINDS})
  list(APPEND installed_workers reductio-worker-simt-${kind})
endforeach()
foreach(worker reductio-worker-cuda reductio-worker-exec reductio-worker-plugin)
  if(TARGET ${worker})
    list(APPEND installed_workers ${worker})
  endif()
endforeach()
install(TARGETS ${installed_workers} RUNTIME DESTINATION libexec/reductio)
install(DIRECTORY ${kit}/ DESTINATION lib/reductio)
# The pages that its users need, in their places, so that the links between them hold.
foreach(page README.md harness/cli/OWN_KERNEL.md harness/order/README.md harness/exec/README.md harness/plugin/README.md
             harness/simt/README.md reports/RECIPES.md)
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION share/doc/reductio/${folder})
endforeach()
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/reductio.h ${CMAKE_CURRENT_SOURCE_DIR}/reductio_launch.h TYPE INCLUDE)

reductio_test(test_own_parts SOURCES own/test_parts.c LIBS reductio_harness)
reductio_test(test_own_lack SOURCES own/test_lack.c LIBS reductio_harness)

# From a new file to its verdict, and the same from an installation.
foreach(name test_own test_own_files test_outside test_interrupts test_lost_workers test_devices)
  add_executable(${name} cli/${name}.c)
  target_link_libraries(${name} PRIVATE test_program)
  target_compile_definitions(${name} PRIVATE STYLES="${PROJECT_SOURCE_DIR}/kernels/tests/styles"
                                                     $<$<BOOL:${REDUCTIO_HAS_CUDA}>:BUILDS_FOR_GPU>)
  add_dependencies(${name} reductio_kit)
  add_test(NAME ${name} COMMAND ${name} $<TARGET_FILE:reductio> ${CMAKE_CURRENT_BINARY_DIR}/${name}_scratch)
  set_tests_properties(${name} PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=300 TIMEOUT 900 LABELS gate)
endforeach()
target_compile_definitions(test_devices PRIVATE PLUGINS="${PROJECT_BINARY_DIR}/harness/plugin/plugins"
                                                FAKE_PROGRAM="$<TARGET_FILE:fake_program>"
                                                TEST_WORKER="$<TARGET_FILE:test_worker_host>")
add_dependencies(test_devices fake_program test_worker_host plugin_sums plugin_wants_device)
if(NOT simt_definitions MATCHES "REDUCTIO_SIMT_ALIGNMENT")
  target_compile_definitions(test_own_files PRIVATE NO_ALIGNMENT)
endif()
# nvcc needs no GPU to compile for one, and the build need not have the cuda backend.
find_program(REDUCTIO_NVCC nvcc HINTS ENV CUDACXX /usr/local/cuda/bin)
add_test(NAME test_styles COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_styles.sh ${REDUCTIO_NVCC} ${kit}
                                  ${PROJECT_SOURCE_DIR}/kernels/tests/styles ${CMAKE_CURRENT_BINARY_DIR}/styles_scratch)
string(REPLACE ";" " " launcher "${CMAKE_CUDA_COMPILER_LAUNCHER}")
set_tests_properties(test_styles PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77 LABELS gate ENVIRONMENT "LAUNCHER=${launcher}")
add_test(NAME test_install COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/cli/test_install.sh ${CMAKE_COMMAND}
                                   ${PROJECT_BINARY_DIR} ${CMAKE_CURRENT_BINARY_DIR}/install_scratch)
set_tests_properties(test_install PROPERTIES TIMEOUT 900 LABELS gate)
