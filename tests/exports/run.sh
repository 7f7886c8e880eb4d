#!/usr/bin/env bash
# The exported symbols of libtenon.so are a promise, written down in libtenon.txt.
#
#     tests/exports/run.sh [--update]
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
build=${TENON_BUILD_DIR:-$here/../../build/release}
list=$here/libtenon.txt
symbols=$(nm -D --defined-only "$build/lib/libtenon.so" | awk '{ print $NF }' | sed 's/@.*//' | sort -u)

if strange=$(printf '%s\n' "$symbols" | grep -v '^tenon_'); then
    printf 'exported, but not named tenon_*:\n%s\n' "$strange"
    exit 1
fi
if [ "${1-}" = --update ]; then
    printf '%s\n' "$symbols" >"$list"
    exit 0
fi
if ! printf '%s\n' "$symbols" | diff -u --label tests/exports/libtenon.txt --label libtenon.so "$list" -; then
    echo "The exports changed. If that is meant: tests/exports/run.sh --update, and a line in CHANGELOG.md."
    exit 1
fi
echo "$(wc -l <"$list") exported symbols, as written down"
