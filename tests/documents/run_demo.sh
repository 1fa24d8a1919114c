#!/bin/sh
# The README's demo, with MNIST taken from SOTTO_MNIST_DIR; exits with 77 (skipped) where that is not there.
# Usage: run_demo.sh SOTTO DEMO
set -eu
[ -d "${SOTTO_MNIST_DIR:-}" ] || { echo 'SOTTO_MNIST_DIR is not set or not there: not run' && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$SOTTO_MNIST_DIR" "$work/mnist"
SOTTO=$1 sh "$2" "$work" >"$work/story" 2>&1 || { cat "$work/story" && exit 1; }
cat "$work/story"
grep -q '^the claim stands$' "$work/story"
