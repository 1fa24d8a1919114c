#!/bin/sh
# usage: consume.sh BUILD_DIRECTORY CONSUMER COMPILER
# Installs the build into a fresh prefix, then builds and runs the project CONSUMER, copied out of the tree, against it.
set -eu
build=$1
consumer=$2
compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
cp -r "$(dirname "$consumer")" "$work/consumer"
cmake -G Ninja -S "$work/consumer/$(basename "$consumer")" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler"
cmake --build "$work/build"
"$work/build/consumer"
