# ctest's JUnit files on standard input; `N passed, N failed, N skipped` over distinct case names on standard output.
# ctest writes a case that it could not start as "not run", like one that chose to skip: only the latter is a skip.
# With stage_failed=1 at least one failure is counted. The exit code is 1 when there is one.
/<testcase / {
  name = $0
  sub(/.*<testcase name="/, "", name)
  sub(/" classname=.*/, "", name)
  seen[name] = 1
  if (/status="run"/) passed[name] = 1
  else if (/status="fail"/) failed[name] = 1
}
/<skipped / && !/message="SKIP_/ { failed[name] = 1 }
END {
  for (name in seen)
    if (name in failed) ++f
    else if (name in passed) ++p
    else ++s
  if (stage_failed && !f) f = 1
  printf "%d passed, %d failed, %d skipped\n", p, f, s
  exit f > 0
}
