# SPDX-License-Identifier: MIT
# Run at build time: writes OUT with the commit that is being built, touching it only when that changes. COMMIT names it
# where the tree comes without its repository, such as a tarball.
cmake_minimum_required(VERSION 3.24)
if(NOT COMMIT)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE COMMIT ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND git -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
  if(NOT COMMIT)
    set(COMMIT "unknown")
  elseif(changes)
    string(APPEND COMMIT " with uncommitted changes")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "// Written by the build.
#define BUILD_COMMIT \"@COMMIT@\"
#define BUILD_VERSION \"@VERSION@\"
#define BUILD_COMPILER \"@COMPILER@\"
#define BUILD_FLAGS \"@FLAGS@\"
")
