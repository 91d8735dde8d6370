# SPDX-License-Identifier: MIT
# libreductio_exact_sum: exact_bins for use in any CUDA program, with what pkg-config and find_package need.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

foreach(type f32 f64)
  add_library(exact_sum_${type} OBJECT exact_bins.cu)
  target_link_libraries(exact_sum_${type} PRIVATE reductio_options)
  target_compile_definitions(
    exact_sum_${type} PRIVATE REDUCTIO_DEVICE_SOURCE REDUCTIO_IN=${REDUCTIO_IN_${type}} REDUCTIO_OUT=${REDUCTIO_OUT_${type}}
                              "REDUCTIO_TYPE=\"${type}\"" REDUCTIO_TAG=${type} REDUCTIO_BACKEND=cuda)
  target_compile_options(exact_sum_${type} PRIVATE $<$<BOOL:${REDUCTIO_WERROR}>:-Werror=all-warnings>)
  set_target_properties(exact_sum_${type} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endforeach()

find_package(CUDAToolkit REQUIRED)
add_library(reductio_exact_sum STATIC $<TARGET_OBJECTS:exact_sum_f32> $<TARGET_OBJECTS:exact_sum_f64>)
add_library(reductio::exact_sum ALIAS reductio_exact_sum)
set_target_properties(reductio_exact_sum PROPERTIES EXPORT_NAME exact_sum LINKER_LANGUAGE CUDA)
target_link_libraries(reductio_exact_sum PUBLIC CUDA::cudart)
target_include_directories(reductio_exact_sum INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
                                                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

add_executable(exact_sum_example example/exact_sum_example.cu)
target_link_libraries(exact_sum_example PRIVATE reductio_options reductio_exact_sum)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/reductio)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/reductio_exact_sum.pc @ONLY CONTENT "prefix=@CMAKE_INSTALL_PREFIX@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: reductio_exact_sum
Description: Correctly rounded sums on the GPU
Version: @PROJECT_VERSION@
Cflags: -I\${includedir}
Libs: -L\${libdir} -lreductio_exact_sum -L@CUDAToolkit_LIBRARY_DIR@ -lcudart -lstdc++
")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/reductio-config.cmake @ONLY CONTENT "include(CMakeFindDependencyMacro)
find_dependency(CUDAToolkit)
include(\${CMAKE_CURRENT_LIST_DIR}/reductio-targets.cmake)
")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/reductio-config-version.cmake COMPATIBILITY SameMajorVersion)

install(TARGETS reductio_exact_sum EXPORT reductio-targets)
install(EXPORT reductio-targets NAMESPACE reductio:: DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/reductio-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/reductio-config-version.cmake DESTINATION ${package_dir})
install(FILES reductio_exact_sum.h TYPE INCLUDE)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/reductio_exact_sum.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
