#!/bin/sh
# SPDX-License-Identifier: MIT
# Sees to it that what Reductio builds with is there. As root it installs the missing Debian/Ubuntu packages and says
# which; as a user on a terminal it shows the command and asks; otherwise it prints one line to paste and stops.
# `setup.sh tests` also wants what only the tests use (a browser to open the report in, a JSON Schema validator, what the recipes run on).
set -eu

packages="gcc g++ make cmake libmpfr-dev libgmp-dev libjansson-dev libboost-context-dev zlib1g-dev check"
if [ "${1:-}" = tests ]; then
    packages="$packages clang-format chromium chromium-driver python3-selenium python3-jsonschema python3-numpy"
    packages="$packages python3-yaml parallel"
fi

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "This is no Debian or Ubuntu: if the build misses something, install the equivalents of: $packages"
    exit 0
fi

is_installed() {
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=""
for package in $packages; do
    # A prefix of the user's own may hold the libraries; CMake names what it does not find there.
    case "$package" in lib*|zlib*|check) [ -z "${CMAKE_PREFIX_PATH:-}" ] || continue ;; esac
    case "$package" in gcc|g++|make|cmake|clang-format) command -v "$package" >/dev/null 2>&1 && continue ;; esac
    is_installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    echo "Installing:$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    # shellcheck disable=SC2086 # one word a package
    if ! apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
        echo "apt-get could not install them. On Ubuntu some are in its component universe: add-apt-repository universe" >&2
        exit 1
    fi
    exit 0
fi

command="sudo apt-get update && sudo apt-get install -y$missing"
if [ -t 0 ] && [ -t 1 ]; then
    printf 'Reductio needs these packages:%s\nRun "%s"? [y/N] ' "$missing" "$command"
    read -r answer
    case "$answer" in
        y|Y|yes) sh -c "$command"; exit 0 ;;
    esac
fi
echo "Missing packages. Install them with:  $command" >&2
echo "or point CMAKE_PREFIX_PATH at a prefix that has the libraries." >&2
exit 1
