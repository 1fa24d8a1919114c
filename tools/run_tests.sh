#!/bin/sh
# Everything that CI runs, cheapest first; stops at the first stage that fails. The last line counts the distinct test
# cases: one that fails under any sanitizer is failed, one that only ever skips is skipped. A stage that fails without a
# failing case (a format error, a crash found by fuzzing) counts as one failed.
set -u
cd "$(dirname "$0")/.." || exit 1
jobs=${JOBS:-$(nproc)}
junit=$PWD/build/junit
rm -rf "$junit" && mkdir -p "$junit" || exit 1

finish() { # 1 when a stage failed, else 0
  find "$junit" -name '*.xml' -exec cat {} + | awk -v stage_failed="$1" -f tools/count_tests.awk >"$junit/summary"
  status=$?
  cat "$junit/summary"
  exit "$status"
}

stage() { # name, command
  name=$1
  shift
  printf '\n== %s\n' "$name"
  start=$(date +%s)
  if "$@"; then
    printf '== %s: ok, %s s\n' "$name" $(($(date +%s) - start))
  else
    printf '== %s: FAILED after %s s\n' "$name" $(($(date +%s) - start))
    finish 1
  fi
}

build_and_test() { # preset, build target, options of ctest
  preset=$1
  target=$2
  shift 2
  $wrap cmake --preset "$preset" >/dev/null &&
    $wrap cmake --build --preset "$preset" -j "$jobs" --target "$target" &&
    $wrap ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error \
      --output-junit "$junit/$preset.xml" "$@"
}

wrap=
stage 'format and scripts' sh tools/check_format.sh
stage 'all tests' build_and_test dev all
stage 'clang-tidy' sh tools/run_clang_tidy.sh
stage 'address and undefined-behaviour sanitizers' build_and_test asan-ubsan fast_tests -L fast

# ThreadSanitizer of this age cannot start under the address randomisation of newer kernels.
if setarch -R true 2>/dev/null; then wrap='setarch -R'; fi
stage 'thread sanitizer' build_and_test tsan threads_tests -L threads
wrap=

stage 'fuzzing' sh tools/run_fuzzers.sh 10
echo
finish 0
