#!/bin/sh
# Every C and C++ file is as clang-format leaves it; every shell script passes shellcheck.
set -eu
cd "$(dirname "$0")/.."

find src apps bench fuzz tests examples include/sotto.h \( -name '*.h' -o -name '*.c' -o -name '*.cpp' \) -type f -print0 |
  xargs -0 clang-format --dry-run -Werror
find .ci/run tools tests examples \( -name '*.sh' -o -path .ci/run \) -type f -print0 | xargs -0 shellcheck --severity=warning
