#!/bin/sh
# Builds the fuzz targets and runs each for some seconds, starting from its corpus in fuzz/corpus/<target>.
# New inputs go to build/fuzz/found, so the checked-in corpus changes only by hand.
# usage: tools/run_fuzzers.sh SECONDS
set -eu
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "$jobs" --target fuzz/all

targets=$(find build/fuzz/fuzz -name 'fuzz_*' -type f -perm -u+x | sort)
[ -n "$targets" ] || { echo 'run_fuzzers: no fuzz target was built' >&2; exit 1; }

# shellcheck disable=SC2016 # the inner shell expands
echo "$targets" | xargs -P "$jobs" -n 1 sh -c '
  name=${1##*/}
  found=build/fuzz/found/$name
  mkdir -p "$found"
  if "$1" -max_total_time="$0" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$found-" \
    "$found" "fuzz/corpus/$name" >"$found.log" 2>&1; then
    echo "$name: no failure in $(sed -n "s/^stat::number_of_executed_units: *//p" "$found.log") runs"
  else
    echo "$name: FAILED"
    tail -n 50 "$found.log"
    exit 1
  fi' "$1"
