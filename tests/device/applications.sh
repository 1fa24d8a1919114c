#!/bin/sh
# usage: applications.sh BUILD_DIRECTORY EXAMPLES GUIDE WRITE_MECHANISM C_COMPILER CXX_COMPILER
# Installs the C interface alone into a fresh prefix, moves it, then builds the examples and the guide's code against it
# through pkg-config, as an application's developer would: in C and C++, with the shared and the static library.
set -eu
build=$1
examples=$2
guide=$3
write_mechanism=$4
cc=$5
cxx=$6
command -v pkg-config >/dev/null || { echo 'pkg-config is not installed: not run' && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/installed" --component client >"$work/log" || { cat "$work/log" && exit 1; }
mv "$work/installed" "$work/prefix"
[ -f "$work/prefix/include/sotto.h" ] || { echo 'sotto.h was not installed' && exit 1; }
[ ! -e "$work/prefix/include/sotto" ] || { echo 'the component installs C++ headers' && exit 1; }
pc=$(find "$work/prefix" -name sotto-device.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
libraries=$(pkg-config --variable=libdir "$pc")
export PKG_CONFIG_PATH LD_LIBRARY_PATH="$libraries"

flags=$(pkg-config --cflags sotto-device)
shared=$(pkg-config --cflags --libs sotto-device)
static=$(pkg-config --static --cflags --libs sotto-device)
c="$cc -std=c99 -Wall -Wextra -pedantic -Werror"
awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$guide" >"$work/guide.c"
[ -s "$work/guide.c" ] || { echo "$guide shows no C" && exit 1; }
# shellcheck disable=SC2086 # lists of options
{
  $c "$examples/privatize.c" $shared -o "$work/c"
  $c "$examples/privatize.c" -static $static -o "$work/c-static"
  $c -c "$work/guide.c" $flags -o "$work/guide.o"
  $cxx -std=c++17 -Wall -Wextra -pedantic -Werror "$examples/privatize.cpp" $shared -o "$work/cpp"
}
readelf -d "$work/c" | grep -q 'NEEDED.*libsotto_device\.so\.1' || { echo 'not linked to the shared library' && exit 1; }
! readelf -d "$work/c-static" | grep NEEDED || { echo 'the static program needs a library' && exit 1; }

"$write_mechanism" "$work/mechanism.sotto"
cd "$work"
run() { # program, arguments: a record in, the report in `report`, the words in `words`
  echo '0.5 -0.25' | "$@" >report 2>words
}
for program in c c-static cpp; do
  run "./$program" mechanism.sotto 3/2 || { cat words && exit 1; }
  grep -q 'claim *epsilon = 1.5, exact, between any two records' words
  [ "$(wc -l <report)" = 1 ]
  grep -q '^{"mechanism":"[0-9a-f]*","epsilon":"1.5","report":\[' report
  grep -q "always $(($(wc -c <report))) bytes as JSON" words
  ! run "./$program" mechanism.sotto much || { echo "$program: took an epsilon that is none" && exit 1; }
  grep -q 'epsilon' words
  [ ! -s report ]
  head -c 100 mechanism.sotto >cut.sotto
  ! run "./$program" cut.sotto 1 || { echo "$program: took a file that was cut short" && exit 1; }
  [ ! -s report ]
done
run ./c mechanism.sotto 1 ledger 1
mv report first
run ./c-static mechanism.sotto 1 ledger 1
cmp report first
! echo '0.5 0.75' | ./c mechanism.sotto 1 ledger 1 >report 2>words || { echo 'the budget was overspent' && exit 1; }
grep -q 'budget' words
[ ! -s report ]
echo 'C and C++, shared and static: reports, words and refusals'
cat first
