#!/bin/sh
# usage: expect_error.sh SOURCE COMPILER [OPTION...]
#
# SOURCE holds a misuse that must not compile, and its twin that must: the same file with other definitions, so that the
# misuse cannot fail for an unrelated reason. Its head says which:
#   // misuse: OPTIONS     // twin: OPTIONS     // error: REGULAR EXPRESSION that an error line must match
set -eu
source=$1
shift
setting() { sed -n "s|^// $1: *||p" "$source"; }
compile() { # definitions...
  LC_ALL=C "$compiler" "$@" -fsyntax-only "$source" 2>&1
}
compiler=$1
shift

# shellcheck disable=SC2046 # the settings are lists of options
compile "$@" $(setting twin) || { echo "the twin of $source does not compile"; exit 1; }

# shellcheck disable=SC2046
if output=$(compile "$@" $(setting misuse)); then
  echo "the misuse in $source compiles"
  exit 1
fi
expected=$(setting error)
if [ -z "$expected" ] || ! printf '%s\n' "$output" | grep -E 'error:' | grep -qE "$expected"; then
  echo "the misuse in $source fails, but not with '$expected':"
  printf '%s\n' "$output"
  exit 1
fi
