#!/bin/sh
# usage: header.sh HEADER C_COMPILER CXX_COMPILER
# The header is C99 and C++ without a warning, by itself.
set -eu
warnings='-Wall -Wextra -pedantic -Werror -fsyntax-only'
# shellcheck disable=SC2086 # a list of options
"$2" -std=c99 -Wstrict-prototypes -Wc++-compat $warnings -x c "$1"
# shellcheck disable=SC2086
"$3" -std=c++11 -Wold-style-cast $warnings -x c++ "$1"
