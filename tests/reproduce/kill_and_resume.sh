#!/bin/sh
# Kills a quick experiment (kill -9) some seconds after its start, again and again until it lives to its end, and compares
# its numbers with those of a run that nobody disturbed. Usage: kill_and_resume.sh SOTTO
set -eu
[ -d "${SOTTO_MNIST_DIR:-}" ] || { echo 'SOTTO_MNIST_DIR is not set or not there: not run' && exit 77; }
sotto=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
start() { # directory; the program itself is the background process, so that the signal reaches it
  "$sotto" reproduce linear-vs-nonlinear --quick --quiet --data "$SOTTO_MNIST_DIR" --work "$work/$1" \
    --output "$work/$1-results" >/dev/null &
}
start whole
wait $!
kills=0
for patience in 1 2 3 4 6 8 12 20 40 80; do
  start killed
  run=$!
  (sleep "$patience" && kill -9 "$run") 2>/dev/null &
  alarm=$!
  if wait "$run"; then
    kill "$alarm" 2>/dev/null || true
    break
  fi
  kills=$((kills + 1))
done
[ "$kills" -gt 0 ] || { echo 'the run ended before it could be killed' && exit 1; }
numbers() { tr ',' '\n' <"$work/$1-results/linear-vs-nonlinear.json" | grep -E '"(mean|epsilon|learner)"'; }
numbers whole >"$work/expected"
numbers killed >"$work/found"
cmp "$work/expected" "$work/found"
echo "killed $kills times, the same $(grep -c mean "$work/found") numbers"
