#!/bin/sh
# Several test files as one unit, whose compiler reads each header once. A file's unnamed namespace within sotto is put
# into one with the file's name, so that helpers of two files may share a name; lines keep their numbers.
# usage: tools/join_tests.sh OUTPUT.cpp FILE_test.cpp...
set -eu
output=$1
shift

for file in "$@"; do
  name=$(basename "$file" .cpp)
  printf '#line 1 "%s"\n' "$file"
  sed "/^namespace sotto/,\$ { s|^namespace {\$|namespace of_$name { namespace {|; s|^}  // namespace\$|} }  // namespace| }" "$file"
done >"$output"
