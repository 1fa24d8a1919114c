#!/bin/sh
# usage: self_check.sh COUNT_TESTS_AWK
# The closing line of `make test`, and its exit code, from results as ctest writes them.
set -eu
awk_program=$1

result() { # name, status, [message of a skip]
  printf '\t<testcase name="%s" classname="%s" time="0.1" status="%s">\n' "$1" "$1" "$2"
  [ -z "${3:-}" ] || printf '\t\t<skipped message="%s"/>\n' "$3"
  printf '\t\t<system-out>&lt;testcase name="no case" status="fail"&gt;</system-out>\n\t</testcase>\n'
}

expect() { # exit code, closing line, 1 when a stage failed; results on standard input
  code=0
  line=$(awk -v stage_failed="$3" -f "$awk_program") || code=$?
  if [ "$line" != "$2" ] || [ "$code" != "$1" ]; then
    echo "expected '$2' and exit code $1, received '$line' and $code"
    exit 1
  fi
}

passing() { result A run; result B run; result C notrun SKIP_REGULAR_EXPRESSION_MATCHED; result D disabled; }

passing | expect 0 '2 passed, 0 failed, 2 skipped' 0
{ passing; passing; } | expect 0 '2 passed, 0 failed, 2 skipped' 0
{ passing; result C run; } | expect 0 '3 passed, 0 failed, 1 skipped' 0
{ passing; result A fail; } | expect 1 '1 passed, 1 failed, 2 skipped' 0
{ result A fail; passing; } | expect 1 '1 passed, 1 failed, 2 skipped' 0
{ passing; result E notrun 'Unable to find executable'; } | expect 1 '2 passed, 1 failed, 2 skipped' 0
passing | expect 1 '2 passed, 1 failed, 2 skipped' 1
{ passing; result A fail; } | expect 1 '1 passed, 1 failed, 2 skipped' 1
expect 1 '0 passed, 1 failed, 0 skipped' 1 </dev/null
