#!/bin/sh
# usage: size.sh LIBRARY LIMIT_IN_BYTES
# The shared library, stripped as a package would have it, is below the limit.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strip -o "$work/stripped" "$1"
size=$(wc -c <"$work/stripped")
echo "$size bytes, limit $2"
[ "$size" -lt "$2" ]
