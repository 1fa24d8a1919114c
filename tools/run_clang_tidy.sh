#!/bin/sh
# clang-tidy over the code on which the guarantee rests, as build/ci compiles it. Tests are left to the compiler.
# usage: tools/run_clang_tidy.sh [FOLDER...]
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- src/kernel src/privacy src/constraint src/channel

# shellcheck disable=SC2016 # the inner shell expands; it keeps clang-tidy's count of suppressed warnings to itself
find "$@" -name '*.cpp' ! -name '*_test.cpp' -print0 |
  xargs -0 -n 1 -P "${JOBS:-$(nproc)}" \
    sh -c 'output=$(clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option -p build/ci "$0" 2>&1) ||
      { printf "%s\n" "$output"; exit 1; }'
