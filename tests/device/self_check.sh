#!/bin/sh
# usage: self_check.sh C_COMPILER
# The checks of the shared library themselves: they accept a sound one, and reject one with each fault.
set -eu
compiler=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf 'SOTTO_API int sotto_answer(void);\nSOTTO_API const char *sotto_word(int);\n' >"$work/header.h"
printf 'SOTTO_1 { global: sotto_*; local: *; };\n' >"$work/map"
make() { # more code, options...
  printf '#include <math.h>\nint sotto_answer(void) { return 42; }\nconst char *sotto_word(int i) { return i ? "a" : ""; }\n%s\n' \
    "$1" >"$work/code.c"
  shift
  "$compiler" -shared -fPIC -o "$work/library" "$work/code.c" -Wl,--version-script="$work/map" \
    -Wl,-soname,libsotto_device.so.1 "$@"
}
expect() { # accepted or rejected, check, its options
  verdict=accepted
  check=$2
  wanted=$1
  shift 2
  sh "$here/$check" "$work/library" "$@" >"$work/output" 2>&1 || verdict=rejected
  [ "$verdict" = "$wanted" ] || { echo "$check: $verdict, not $wanted" && cat "$work/output" && exit 1; }
}

make ''
expect accepted exports.sh "$work/header.h"
expect accepted needs.sh 1
expect rejected needs.sh 2
expect accepted size.sh 100000
expect rejected size.sh 1000

make 'int sotto_secret(void) { return 1; }'
expect rejected exports.sh "$work/header.h"
make 'static int SeededEntropy(void) { return 1; } int sotto_answer2(void); int (*keep)(void) = SeededEntropy;'
expect rejected exports.sh "$work/header.h"
make '' -Wl,--no-as-needed -lgcc_s
expect rejected needs.sh 1
make '' && printf 'SOTTO_API int sotto_missing(void);\n' >>"$work/header.h"
expect rejected exports.sh "$work/header.h"
echo 'every planted fault was detected'
