#!/bin/sh
# SPDX-License-Identifier: MIT
# keep_names.sh LD OBJCOPY OBJECT: makes every name of an object its own but reductio_*.
# Sections of a group are merged by the group's name, so groups are dissolved before, which of the linkers GNU's alone can.
set -e
case $3 in
*.gch | *.pch) exit 0 ;; # a precompiled header, which CMake makes by the same rule as an object
esac
"$1" -r --force-group-allocation -o "$3.joined" "$3"
"$2" --wildcard '--keep-global-symbol=reductio_*' "$3.joined" "$3"
rm -f "$3.joined"
