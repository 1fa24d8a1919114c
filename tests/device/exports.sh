#!/bin/sh
# usage: exports.sh LIBRARY HEADER
# The shared library offers the functions that the header declares, each with its version, and nothing else; and nowhere
# inside is there a source of predictable randomness.
set -eu
library=$1
header=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n 's/^SOTTO_API [^(]*[ *]\(sotto_[a-z_]*\)(.*/\1/p' "$header" | sort >"$work/declared"
[ -s "$work/declared" ] || { echo "$header declares no function"; exit 1; }
nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sort >"$work/exported"
sed 's/$/@@SOTTO_1/' "$work/declared" | diff - "$work/exported" || { echo "^ declared (<) and exported (>) differ"; exit 1; }
if nm -C "$library" 2>/dev/null | grep -i 'seeded'; then
  echo 'predictable randomness is in the library'
  exit 1
fi
echo "$(wc -l <"$work/exported") functions"
