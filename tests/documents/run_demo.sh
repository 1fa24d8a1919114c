#!/bin/sh
# The README's demo on few records, with MNIST taken from SOTTO_MNIST_DIR; exits with 77 (skipped) where that is not there.
# Usage: run_demo.sh SOTTO
set -eu
[ -d "${SOTTO_MNIST_DIR:-}" ] || { echo 'SOTTO_MNIST_DIR is not set or not there: not run' && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" demo --quick --data "$SOTTO_MNIST_DIR" --output "$work" >"$work/story" 2>&1 || { cat "$work/story" && exit 1; }
cat "$work/story"
grep -q 'the claim stands$' "$work/story"
grep -q 'data:image/png' "$work/report.html"
