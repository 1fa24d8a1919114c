#!/bin/sh
# Runs every `$ sotto …` line of a document's console blocks, in order, in an empty directory with the examples beside it,
# and fails at the first that fails: documents are true. Usage: run_commands.sh SOTTO EXAMPLES DOCUMENT
set -eu
sotto=$1
examples=$2
document=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$sotto" "$work/bin/sotto"
cp -r "$examples" "$work/examples"
awk '/^```console$/ { inside = 1; next } /^```/ { inside = 0 } inside && /^\$ sotto / { sub(/^\$ /, ""); print }' \
  "$document" >"$work/commands"
[ -s "$work/commands" ] || { echo "$document: no commands found" && exit 1; }
cd "$work"
while IFS= read -r command; do
  printf '$ %s\n' "$command"
  PATH="$work/bin:$PATH" sh -c "$command" </dev/null || { echo "FAILED: $command" && exit 1; }
done <commands
echo "$(wc -l <commands) commands of $document ran"
