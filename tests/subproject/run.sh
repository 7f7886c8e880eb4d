#!/usr/bin/env bash
# Tenon inside another project, by FetchContent: only the library is built, nothing of it is installed, and what that project
# decided (its build type among it) stays as it was.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
unset DESTDIR

fail() {
    echo "subproject: $*" >&2
    exit 1
}

cmake -G Ninja -S "$here" -B "$temporary/build" -DTENON_SOURCE="$root" -DCMAKE_C_COMPILER="${CC:-cc}" \
    >"$temporary/log" 2>&1 || { cat "$temporary/log"; exit 1; }
grep -q '^CMAKE_BUILD_TYPE:STRING=$' "$temporary/build/CMakeCache.txt" || fail "the build type was changed"
if grep -q cmocka "$temporary/log"; then
    fail "cmocka was asked for"
fi
for program in bin/tenon examples/server servers/conformance bench/core; do
    if ninja -C "$temporary/build" -t query "$program" >/dev/null 2>&1; then
        fail "$program is a target"
    fi
done
cmake --build "$temporary/build" >"$temporary/log" 2>&1 || { tail -n 30 "$temporary/log"; exit 1; }
version=$(sed -n 's/^project(tenon VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt")
[ "$("$temporary/build/weather")" = "$version" ] || fail "the program does not print $version"
cmake --install "$temporary/build" --prefix "$temporary/prefix" >/dev/null
installed=$(cd "$temporary/prefix" && find . -type f | sort | tr '\n' ' ')
[ "$installed" = "./bin/weather " ] || fail "installed: $installed"
echo "FetchContent: works"
