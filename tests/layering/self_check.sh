#!/bin/sh
# The architecture check itself: it accepts a sound tree, and rejects that tree with any one violation planted.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sound_tree() {
  rm -rf "$work/src"
  mkdir -p "$work/src/kernel" "$work/src/privacy" "$work/src/channel" "$work/src/linear" "$work/src/client"
  cat >"$work/src/kernel/a.h" <<'CODE'
// A double in a comment, /* and a float */ in another, are no arithmetic.
/* Nor is a double
   here. */
#include <cstdint>
const char* text = "double";  // float
int double_width = 2;
int operand(int x);
CODE
  echo 'double expected = 0.5; std::mt19937 fixed(1);' >"$work/src/kernel/a_test.cpp"
  echo '#include "sotto/kernel/a.h"' >"$work/src/privacy/b.h"
  { echo '#include "sotto/privacy/b.h"'; yes '// why' | head -n 3000; } >"$work/src/channel/c.h"
  { echo '// A piecewise channel.'; echo '// inexact: sampled in floating point'; yes 'int x;' | head -n 3000; } \
    >"$work/src/channel/d.cpp"
  echo '#include "sotto/kernel/seeded_entropy.h"' >"$work/src/linear/e.cpp"
  printf '#include "sotto.h"\n#include "sotto/channel/c.h"\n' >"$work/src/client/f.cpp"
}

expect_rejection() { # file, planted text, expected message
  sound_tree
  printf '%s\n' "$2" >>"$work/src/$1"
  if sh "$here/check.sh" "$work/src" >"$work/output"; then
    echo "not detected in $1: $2"
    exit 1
  fi
  if ! grep -q -e "$3" "$work/output"; then
    echo "rejected for the wrong reason in $1: $2"
    cat "$work/output"
    exit 1
  fi
}

sound_tree
sh "$here/check.sh" "$work/src" || { echo 'a sound tree was rejected'; exit 1; }

expect_rejection kernel/a.h '#include "sotto/privacy/b.h"' 'layer kernel may not include from privacy'
expect_rejection kernel/a_test.cpp '#include "sotto/channel/c.h"' 'layer kernel may not include from channel'
expect_rejection privacy/b.h '  #  include "sotto/linear/e.h"' 'layer privacy may not include from linear'
expect_rejection privacy/b.h '#include "b.h"' 'write includes of this project as'
expect_rejection channel/c.h '#include <Eigen/Dense>' 'may not ask its users for <Eigen/Dense>'
expect_rejection channel/c.cpp '#include "sotto/kernel/seeded_entropy.h"' 'seeded entropy is for experiments'
expect_rejection client/f.cpp '#include "sotto/kernel/seeded_entropy.h"' 'seeded entropy is for experiments'
expect_rejection client/f.cpp '#include "sotto/linear/e.h"' 'layer client may not include from linear'
expect_rejection linear/e.cpp '#include "sotto/client/f.h"' 'layer linear may not include from client'
expect_rejection channel/c.h '#include "sotto.h"' 'sotto.h is for applications'
expect_rejection kernel/a.h 'long double x;' 'integers only'
expect_rejection kernel/a.h '/* no */ float x;' 'integers only'
expect_rejection kernel/a.h '#include <cmath>' 'integers only'
expect_rejection linear/e.cpp '#include <random>' 'draws outside the kernel'
expect_rejection linear/e.cpp '#include <torch/torch.h>' 'libtorch belongs to train/'
expect_rejection linear/e.cpp 'std::random_device d;' 'nothing outside the kernel draws'
expect_rejection linear/e.cpp 'int x = rand();' 'nothing outside the kernel draws'
expect_rejection linear/e.cpp 'int x = std::rand ();' 'nothing outside the kernel draws'
expect_rejection linear/e.cpp 'getrandom(p, 8, 0);' 'only kernel/entropy.cpp asks'
expect_rejection kernel/a.h "$(yes 'int x;' | head -n 2000)" 'the kernel has reached'
expect_rejection privacy/b.h "$(yes 'int x;' | head -n 2800)" 'guarantee rests has reached'
expect_rejection channel/c.h "$(yes 'int x;' | head -n 2800)" 'guarantee rests has reached'
expect_rejection misc.h 'int x;' 'has no place in the layers'
echo 'every planted violation was detected'
