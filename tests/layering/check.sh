#!/bin/sh
# usage: check.sh SRC: the architecture of the source tree SRC; see check.awk.
set -eu
here=$(dirname "$0")
find "$1" \( -name '*.h' -o -name '*.cpp' \) -type f -print0 | sort -z | xargs -0 awk -v src="$1" -f "$here/check.awk"
