# SPDX-License-Identifier: MIT
# Finds the variants (one file each), compiles each once per type and backend, and writes the register of a worker.
# Adding a file to kernels/ or kernels/faulty/ is all that a new variant needs.

# The comment lines "// Types: f32 f64" and "// Backends: simt cuda" of a variant's header, with their defaults.
function(reductio_header_line out file key default)
  file(STRINGS ${file} lines REGEX "^// ${key}: " LIMIT_COUNT 1)
  set(value ${default})
  if(lines)
    string(REGEX REPLACE "^// ${key}: *" "" value "${lines}")
    string(REGEX REPLACE " +" ";" value "${value}")
  endif()
  set(${out} ${value} PARENT_SCOPE)
endfunction()

# Variants of a backend: the files of kernels/ that name it. A changed header line asks CMake to run again.
function(reductio_variant_files out backend)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/*.cu ${PROJECT_SOURCE_DIR}/kernels/*.c
       ${PROJECT_SOURCE_DIR}/kernels/faulty/*.cu ${PROJECT_SOURCE_DIR}/kernels/vendor/*.cu ${PROJECT_SOURCE_DIR}/kernels/probes/*.cu)
  set(found "")
  foreach(file ${files})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    set(default simt cuda)
    if(file MATCHES "\\.c$")
      set(default host)
    endif()
    reductio_header_line(backends ${file} Backends "${default}")
    if(backend IN_LIST backends)
      list(APPEND found ${file})
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

set(REDUCTIO_IN_f32 float)
set(REDUCTIO_OUT_f32 float)
set(REDUCTIO_IN_f64 double)
set(REDUCTIO_OUT_f64 double)
set(REDUCTIO_IN_f32_f64 float)
set(REDUCTIO_OUT_f32_f64 double)
set(REDUCTIO_IN_f16 __half)
set(REDUCTIO_OUT_f16 __half)
set(REDUCTIO_IN_bf16 __nv_bfloat16)
set(REDUCTIO_OUT_bf16 __nv_bfloat16)
set(REDUCTIO_IN_f16_f32 __half)
set(REDUCTIO_OUT_f16_f32 float)
set(REDUCTIO_IN_bf16_f32 __nv_bfloat16)
set(REDUCTIO_OUT_bf16_f32 float)

# One object library per type: FILES are sources ready for the compiler, named like their variants. PRECOMPILE: the
# header that each of them begins with.
function(reductio_variant_objects prefix backend)
  cmake_parse_arguments(ARG "" "PRECOMPILE" "FILES;SOURCES;LIBS;DEFINITIONS;OPTIONS" ${ARGN})
  set(objects "")
  set(symbols "")
  foreach(type f32 f64 f32:f64 f16 bf16 f16:f32 bf16:f32)
    string(REPLACE ":" "_" tag ${type})
    string(REGEX MATCH "f16" has_16_bits ${type})
    set(typed "")
    foreach(file source IN ZIP_LISTS ARG_FILES ARG_SOURCES)
      reductio_header_line(types ${file} Types "f32;f64")
      if(type IN_LIST types)
        list(APPEND typed ${source})
        get_filename_component(name ${file} NAME_WE)
        list(APPEND symbols reductio_${name}_${tag}_${backend})
      endif()
    endforeach()
    if(typed)
      add_library(${prefix}_${tag} OBJECT ${typed})
      target_link_libraries(${prefix}_${tag} PRIVATE reductio_options ${ARG_LIBS})
      target_include_directories(${prefix}_${tag} PRIVATE ${PROJECT_SOURCE_DIR}/kernels)
      target_compile_definitions(
        ${prefix}_${tag} PRIVATE REDUCTIO_IN=${REDUCTIO_IN_${tag}} REDUCTIO_OUT=${REDUCTIO_OUT_${tag}}
                                 "REDUCTIO_TYPE=\"${type}\"" REDUCTIO_TAG=${tag} REDUCTIO_BACKEND=${backend}
                                 ${ARG_DEFINITIONS} $<$<BOOL:${has_16_bits}>:REDUCTIO_16_BITS>
                                 $<$<STREQUAL:${tag},f16>:REDUCTIO_OUT_STORED=10> $<$<STREQUAL:${tag},bf16>:REDUCTIO_OUT_STORED=7>)
      target_compile_options(${prefix}_${tag} PRIVATE ${ARG_OPTIONS})
      list(LENGTH typed files_of_type)
      if(ARG_PRECOMPILE AND files_of_type GREATER 8) # which parse for longer than they compile; fewer do not repay it
        target_precompile_headers(${prefix}_${tag} PRIVATE ${ARG_PRECOMPILE})
      endif()
      list(APPEND objects $<TARGET_OBJECTS:${prefix}_${tag}>)
    endif()
  endforeach()
  set(${prefix}_OBJECTS ${objects} PARENT_SCOPE)
  set(${prefix}_SYMBOLS ${symbols} PARENT_SCOPE)
endfunction()

# Writes the C file that lists the variants of one worker executable.
function(reductio_write_register out_file)
  set(declarations "")
  set(entries "")
  foreach(symbol ${ARGN})
    string(APPEND declarations "extern const struct reductio_variant ${symbol};\n")
    string(APPEND entries "    &${symbol},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${out_file} @ONLY CONTENT "// Written by CMake from the files of kernels/.
#include \"harness/backend.h\"

@declarations@
static const struct reductio_variant *const variants[] = {
@entries@    NULL};

const struct reductio_variant *const *backend_variants(const struct worker_errand *errand, char *message) {
    return errand->load ? plugin_variants(errand, variants[0] ? variants[0]->backend : \"\", message) : variants;
}
")
endfunction()

# A worker executable: the protocol's worker side, one backend, the register and the objects of its variants.
function(reductio_worker name backend_library register)
  add_executable(${name} ${register} ${ARGN})
  target_link_libraries(${name} PRIVATE reductio_options reductio_worker ${backend_library})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()
