#!/bin/sh
# SPDX-License-Identifier: MIT
# An adapter is found by its name in an installation, from any folder: test_installed.sh CMAKE BUILD SCRATCH
set -eu
cmake=$1
build=$2
prefix=$3
command -v python3 >/dev/null || { echo "There is no python3."; exit 77; }
rm -rf "$prefix"
mkdir -p "$prefix/bin" "$prefix/libexec/reductio"
"$cmake" "-DCMAKE_INSTALL_PREFIX=$prefix" -P "$build/harness/exec/cmake_install.cmake"
cp "$build/bin/reductio" "$prefix/bin/"
cp "$build/bin/reductio-worker-exec" "$prefix/libexec/reductio/"
cd /
"$prefix/bin/reductio" list variants --exec fsum | grep python.fsum@exec/f64
[ -z "$(find "$prefix/share" -name '__pycache__')" ] # an installed folder is left as it is
