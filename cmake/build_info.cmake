# SPDX-License-Identifier: MIT
# Run at build time: writes OUT with the commit that is being built, touching it only when that changes.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND git -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
elseif(changes)
  string(APPEND commit " with uncommitted changes")
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT "// Written by the build.
#define BUILD_COMMIT \"@commit@\"
#define BUILD_VERSION \"@VERSION@\"
#define BUILD_COMPILER \"@COMPILER@\"
#define BUILD_FLAGS \"@FLAGS@\"
")
