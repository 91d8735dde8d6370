# SPDX-License-Identifier: MIT
# cmake -DINPUTS=a.css;b.js -DHEADER=reports/page.h -DOUTPUT=x.c -P embed.cmake: files as C strings, named by file ("page.css" is page_css) with their SHA-256.
cmake_minimum_required(VERSION 3.24)
set(text "// Made from ${INPUTS} by embed.cmake.\n#include \"${HEADER}\"\n")
foreach(input ${INPUTS})
  get_filename_component(name ${input} NAME)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  file(READ ${input} bytes HEX)
  file(SHA256 ${input} hash)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "const char ${symbol}[] = {${bytes}0};\nconst char ${symbol}_sha256[] = \"${hash}\";\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
