#!/bin/sh
# Runs the quick variant of an experiment and looks at what it leaves behind. Usage: run_quick.sh SOTTO EXPERIMENT
set -eu
[ -d "${SOTTO_MNIST_DIR:-}" ] || { echo 'SOTTO_MNIST_DIR is not set or not there: not run' && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" reproduce "$2" --quick --quiet --data "$SOTTO_MNIST_DIR" --work "$work/runs" --output "$work/results"
grep -q '"rows"' "$work/results/$2.json"
grep -q 'published' "$work/results/$2.md"
grep -q '<svg' "$work/results/$2.html"
