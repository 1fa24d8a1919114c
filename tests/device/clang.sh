#!/bin/sh
# usage: clang.sh SOURCE_TREE
# The device's C interface compiles with clang as well, and the header is C for it; exits with 77 (skipped) without clang.
set -eu
command -v clang++ >/dev/null && command -v clang >/dev/null || { echo 'clang is not installed: not tried' && exit 77; }
warnings='-Wall -Wextra -pedantic -Werror -fsyntax-only'
# shellcheck disable=SC2086 # a list of options
clang -std=c99 -Weverything -Wno-unused-macros $warnings -x c "$1/include/sotto.h"
for source in "$1"/src/client/*.cpp; do
  case $source in *_test.cpp) continue ;; esac
  # shellcheck disable=SC2086
  clang++ -std=c++20 -DSOTTO_DEVICE=1 "-I$1/include" $warnings "$source"
done
