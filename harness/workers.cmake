# SPDX-License-Identifier: MIT
# The worker executables, one per backend.

# The .cu files of variants, translated for the C++ compiler.
function(reductio_translate_variants out)
  set(sources "")
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME_WE)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/translated/${name}.cpp)
    add_custom_command(
      OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/translated
      COMMAND reductio-simt-translate ${file} ${source}
      DEPENDS ${file} reductio-simt-translate
      COMMENT "Translating ${name}.cu for the CPU"
      VERBATIM)
    if(REDUCTIO_SANITIZE AND file MATCHES "/faulty/") # which must end as the fault that they are, in a worker that goes on
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all SKIP_PRECOMPILE_HEADERS ON)
    endif()
    list(APPEND sources ${source})
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# host: plain C.
reductio_variant_files(files host)
reductio_variant_objects(host host FILES ${files} SOURCES ${files})
reductio_write_register(${CMAKE_CURRENT_BINARY_DIR}/register_host.c ${host_SYMBOLS})
reductio_worker(reductio-worker-host reductio_host ${CMAKE_CURRENT_BINARY_DIR}/register_host.c ${host_OBJECTS})

# Every object of a variant keeps its names to itself, as nvcc's device code does. Two files, or two types of one file,
# may each have their own `struct partial`, of whose member functions, where they are not inlined, the linker would take
# one for both. (With clang CMAKE_LINKER is another than GNU's.)
get_filename_component(linker_folder ${CMAKE_LINKER} DIRECTORY)
find_program(REDUCTIO_GNU_LD NAMES ${_CMAKE_TOOLCHAIN_PREFIX}ld.bfd ld.bfd ld HINTS ${linker_folder} REQUIRED)
list(APPEND CMAKE_CXX_COMPILE_OBJECT
     "\"${PROJECT_SOURCE_DIR}/cmake/keep_names.sh\" ${REDUCTIO_GNU_LD} ${CMAKE_OBJCOPY} <OBJECT>")

# simt.
reductio_variant_files(files simt)
reductio_translate_variants(sources ${files})
set(simt_header ${PROJECT_SOURCE_DIR}/harness/reductio.h)
reductio_variant_objects(simt simt FILES ${files} SOURCES ${sources} LIBS reductio_simt_headers
                         PRECOMPILE ${simt_header} DEFINITIONS REDUCTIO_DEVICE_SOURCE)
reductio_write_register(${CMAKE_CURRENT_BINARY_DIR}/register_simt.c ${simt_SYMBOLS})
reductio_worker(reductio-worker-simt reductio_simt ${CMAKE_CURRENT_BINARY_DIR}/register_simt.c ${simt_OBJECTS})

# The same kernels, compiled with a sanitizer.
foreach(kind ${REDUCTIO_HAZARD_KINDS})
  string(TOUPPER ${kind} macro)
  reductio_variant_objects(simt_${kind} simt FILES ${files} SOURCES ${sources} LIBS reductio_simt_headers
                           PRECOMPILE ${simt_header} DEFINITIONS REDUCTIO_DEVICE_SOURCE REDUCTIO_SIMT_${macro}
                           OPTIONS ${REDUCTIO_HAZARD_OPTIONS_${kind}})
  reductio_worker(reductio-worker-simt-${kind} reductio_simt_${kind} ${CMAKE_CURRENT_BINARY_DIR}/register_simt.c
                  ${simt_${kind}_OBJECTS})
endforeach()
