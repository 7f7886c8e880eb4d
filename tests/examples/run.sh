#!/usr/bin/env bash
# Runs every example, with tests/examples/NAME.in as its input if there is one, and compares what it prints with
# tests/examples/NAME.txt.
#
#     tests/examples/run.sh             compare
#     tests/examples/run.sh --update    write what they print into the files: read the difference before you keep it
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${TENON_BUILD_DIR:-build/release}
failed=0 count=0
for source in examples/*.c; do
    name=$(basename "$source" .c)
    expected=tests/examples/$name.txt
    input=tests/examples/$name.in
    [ -e "$input" ] || input=/dev/null
    count=$((count + 1))
    if [ "${1-}" = --update ]; then
        "$build/examples/$name" <"$input" >"$expected"
    elif ! "$build/examples/$name" <"$input" | diff -u --label "$expected" --label "$name" "$expected" -; then
        failed=$((failed + 1))
    fi
done
echo "$count examples, $failed failed"
[ "$failed" = 0 ]
