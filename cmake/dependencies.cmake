# SPDX-License-Identifier: MIT
# Finds what the project builds with; names the Debian/Ubuntu package of what is missing. Honours CMAKE_PREFIX_PATH.
function(reductio_library target header package)
  string(REPLACE "::" "_" key ${target})
  find_path(${key}_INCLUDE ${header})
  set(files "")
  foreach(name ${ARGN})
    find_library(${key}_${name} ${name})
    list(APPEND files ${${key}_${name}})
  endforeach()
  if(NOT ${key}_INCLUDE OR "${files}" MATCHES "NOTFOUND" OR NOT files)
    message(FATAL_ERROR "${header} or its library is missing: install the package ${package}, "
                        "or point CMAKE_PREFIX_PATH at a prefix that has it.")
  endif()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${${key}_INCLUDE})
  target_link_libraries(${target} INTERFACE ${files})
endfunction()

find_package(Threads REQUIRED)
reductio_library(MPFR::MPFR mpfr.h libmpfr-dev mpfr gmp)
reductio_library(Jansson::Jansson jansson.h libjansson-dev jansson)
reductio_library(ZLIB::ZLIB zlib.h zlib1g-dev z)
reductio_library(BoostContext::BoostContext boost/context/detail/fcontext.hpp libboost-context-dev boost_context)
reductio_library(Check::Check check.h check check)
find_library(SUBUNIT_LIBRARY subunit) # Debian's Check needs it, a Check built without it does not
target_link_libraries(Check::Check INTERFACE $<$<BOOL:${SUBUNIT_LIBRARY}>:${SUBUNIT_LIBRARY}> m rt Threads::Threads)
