#!/bin/sh
# Builds the fuzz targets and runs each for some seconds, starting from its corpus in fuzz/corpus/<target>.
# New inputs go to build/fuzz, so the checked-in corpus changes only by hand.
# usage: tools/run_fuzzers.sh SECONDS
set -eu
seconds=$1
cd "$(dirname "$0")/.."

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "${JOBS:-$(nproc)}" --target fuzz/all

ran=0
for target in build/fuzz/fuzz/fuzz_*; do
  [ -f "$target" ] && [ -x "$target" ] || continue
  name=$(basename "$target")
  mkdir -p "build/fuzz/found/$name"
  echo "-- $name, $seconds s"
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$name-" "build/fuzz/found/$name" "fuzz/corpus/$name" \
    >"build/fuzz/found/$name.log" 2>&1 || { tail -n 50 "build/fuzz/found/$name.log"; exit 1; }
  grep number_of_executed_units "build/fuzz/found/$name.log"
  ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "run_fuzzers: no fuzz target was built" >&2; exit 1; }
