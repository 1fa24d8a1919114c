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

build() { # preset, target
  $wrap cmake --preset "$1" >/dev/null && $wrap cmake --build --preset "$1" -j "$jobs" --target "$2"
}

run() { # preset, options of ctest
  preset=$1
  shift
  $wrap ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-tests=error \
    --output-junit "$junit/$preset.xml" "$@"
}

# Without the real data its tests skip, and the last line says so.
export SOTTO_MNIST_DIR="${SOTTO_MNIST_DIR:-$PWD/build/mnist}"
fetch_data() {
  [ -d "$SOTTO_MNIST_DIR" ] || build/ci/apps/cli/sotto data fetch mnist --to "$SOTTO_MNIST_DIR" ||
    echo 'MNIST could not be fetched: its tests will skip'
}

wrap=
stage 'format and scripts' sh tools/check_format.sh
stage 'build' build ci all
stage 'clang-tidy' sh tools/run_clang_tidy.sh
stage 'real data' fetch_data
stage 'all tests' run ci
stage 'build with address and undefined-behaviour sanitizers' build asan-ubsan fast_tests
# Long samples and real data add time here, not memory accesses of a new kind.
run_sanitized() { (SOTTO_MNIST_DIR='' && run asan-ubsan -L fast -LE statistical); }
stage 'fast tests with address and undefined-behaviour sanitizers' run_sanitized

# ThreadSanitizer of this age cannot start under the address randomisation of newer kernels.
if setarch -R true 2>/dev/null; then wrap='setarch -R'; fi
stage 'build with thread sanitizer' build tsan threads_tests
stage 'tests of threads with thread sanitizer' run tsan -L threads
wrap=

stage 'fuzzing' sh tools/run_fuzzers.sh 10
echo
finish 0
