#!/usr/bin/env bash
# The exported symbols of libtenon.so are a promise, written down in libtenon.txt. What is global in the archives that the
# program `tenon` is linked from is defined once: a linker takes the first of two without a word.
# Functions of libtenon.a meet a program's own when it is linked, so all of them have a prefix: names.c is such a program.
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
archives=$(for name in lib/libtenon libtenon_{commands,kit,docs,kyc,pentest,appsec}; do
    [ ! -e "$build/$name.a" ] || echo "$build/$name.a"
done)
# shellcheck disable=SC2086 # a word each
twice=$(nm --defined-only --extern-only $archives 2>/dev/null | awk 'NF == 3 { print $3 }' | sort | uniq -d)
if [ -n "$twice" ]; then
    printf 'global in two objects of libtenon.a and libtenon_*.a:\n%s\n' "$twice"
    exit 1
fi
strange=$(nm -g --defined-only "$build/lib/libtenon.a" | awk 'NF == 3 { print $3 }' | { grep -Ev '^(tenon|tn)_' || true; })
if [ -n "$strange" ]; then
    printf 'in libtenon.a, but not named tenon_* or tn_*:\n%s\n' "$strange"
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

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
# shellcheck disable=SC2046
"${CC:-cc}" -std=c17 -Wall -Wextra -Werror -I "$here/../../include" "$here/names.c" -o "$temporary/names" \
    "$build/lib/libtenon.a" $(PKG_CONFIG_PATH=$build pkg-config --static --libs tenon | sed 's/-ltenon//')
"$temporary/names"
