# SPDX-License-Identifier: MIT
# The worker executables, one per backend.

# host: plain C.
reductio_variant_files(files host)
reductio_variant_objects(host host FILES ${files} SOURCES ${files})
reductio_write_register(${CMAKE_CURRENT_BINARY_DIR}/register_host.c ${host_SYMBOLS})
reductio_worker(reductio-worker-host reductio_host ${CMAKE_CURRENT_BINARY_DIR}/register_host.c ${host_OBJECTS})

# simt: the .cu files, translated for the C++ compiler.
reductio_variant_files(files simt)
set(sources "")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/translated/${name}.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/translated
    COMMAND reductio-simt-translate ${file} ${source}
    DEPENDS ${file} reductio-simt-translate
    COMMENT "Translating ${name}.cu for the CPU"
    VERBATIM)
  list(APPEND sources ${source})
endforeach()
reductio_variant_objects(simt simt FILES ${files} SOURCES ${sources} LIBS reductio_simt_headers
                         DEFINITIONS REDUCTIO_DEVICE_SOURCE)
reductio_write_register(${CMAKE_CURRENT_BINARY_DIR}/register_simt.c ${simt_SYMBOLS})
reductio_worker(reductio-worker-simt reductio_simt ${CMAKE_CURRENT_BINARY_DIR}/register_simt.c ${simt_OBJECTS})

# The same kernels, compiled with a sanitizer.
foreach(kind ${REDUCTIO_HAZARD_KINDS})
  string(TOUPPER ${kind} macro)
  reductio_variant_objects(simt_${kind} simt FILES ${files} SOURCES ${sources} LIBS reductio_simt_headers
                           DEFINITIONS REDUCTIO_DEVICE_SOURCE REDUCTIO_SIMT_${macro}
                           OPTIONS ${REDUCTIO_HAZARD_OPTIONS_${kind}})
  reductio_worker(reductio-worker-simt-${kind} reductio_simt_${kind} ${CMAKE_CURRENT_BINARY_DIR}/register_simt.c
                  ${simt_${kind}_OBJECTS})
endforeach()
