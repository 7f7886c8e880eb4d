#!/usr/bin/env bash
# Installs into a temporary prefix and builds consumer.c against it in the ways a user would.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${TENON_BUILD_DIR:-$here/../../build/release}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
strict=(-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror)
unset DESTDIR

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")

named=$("$here/../../scripts/version") # or it says which file has another one
[ "$named" = "$version" ] || { echo "the sources are $named, and $version was built" >&2; exit 1; }

check() { # check NAME PROGRAM: it runs, and says the version first
    said=$("$2")
    [ "$(printf '%s\n' "$said" | head -n 1)" = "$version" ] || {
        echo "$1: the consumer should print $version first, and printed: $said" >&2
        exit 1
    }
    echo "$1: works"
}

prefix=$temporary/shared
cmake --install "$build" --prefix "$prefix" >"$temporary/log" || { cat "$temporary/log"; exit 1; }
pc=$(find "$prefix" -name tenon.pc)
libdir=$(dirname "$(dirname "$pc")")

said=$("$prefix/bin/tenon" --version)
[ "$said" = "tenon $version" ] || { echo "bin/tenon says: $said" >&2; exit 1; }
for file in man/man1/tenon.1 man/man1/tenon-call.1 bash-completion/completions/tenon tenon/guard.schema.json tenon/profile.schema.json tenon/profiles/gemini.json; do
    [ -s "$prefix/share/$file" ] || { echo "share/$file is not installed" >&2; exit 1; }
done
echo "tenon, its manual page and completion: installed"

export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046
"${CC:-cc}" "${strict[@]}" "$here/consumer.c" -o "$temporary/with-shared" \
    $(pkg-config --cflags --libs tenon) -Wl,-rpath,"$libdir"
readelf -d "$temporary/with-shared" | grep -qF "[libtenon.so.${version%.*}]" || { # until 1.0 the minor version is one of the ABI
    echo "pkg-config: the program does not need libtenon.so.${version%.*}" >&2
    exit 1
}
check "pkg-config, shared" "$temporary/with-shared"

for compiler in "${CXX:-c++}"; do # a C++ program can use it too
    command -v "$compiler" >/dev/null || continue
    printf '#include <tenon/tenon.h>\n#include <cstdio>\nint main() { std::puts(tenon_version()); }\n' >"$temporary/consumer.cpp"
    # shellcheck disable=SC2046
    "$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Werror "$temporary/consumer.cpp" -o "$temporary/with-c++" \
        $(pkg-config --cflags --libs tenon) -Wl,-rpath,"$libdir"
    check "pkg-config, C++" "$temporary/with-c++"
    printf '#include <tenon/tenon.hpp>\n#include <cstdio>\nint main() { tenon::server none("none", "1"); std::puts(tenon_version()); }\n' \
        >"$temporary/consumer.cpp"
    # shellcheck disable=SC2046
    "$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Werror "$temporary/consumer.cpp" -o "$temporary/with-hpp" \
        $(pkg-config --cflags --libs tenon) -Wl,-rpath,"$libdir"
    check "pkg-config, tenon.hpp" "$temporary/with-hpp"
done

for component in tenon "tenon static"; do
    name=${component##* }
    cmake -G Ninja -S "$here" -B "$temporary/cmake-$name" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="${CC:-cc}" \
        -DCONSUMER_VERSION="${version%.*}" -DCONSUMER_STATIC="$([ "$name" = static ] && echo ON || echo OFF)" >"$temporary/log" 2>&1 &&
        cmake --build "$temporary/cmake-$name" >>"$temporary/log" 2>&1 || { cat "$temporary/log"; exit 1; }
    check "find_package, $name" "$temporary/cmake-$name/consumer"
done

# The linker prefers a shared library, so the static one is tried in a moved tree that holds nothing else.
prefix=$temporary/static
mv "$temporary/shared" "$prefix"
libdir=$prefix${libdir#"$temporary/shared"}
rm -f "$libdir"/libtenon.so*
export PKG_CONFIG_PATH=$libdir/pkgconfig
# shellcheck disable=SC2046
"${CC:-cc}" "${strict[@]}" "$here/consumer.c" -o "$temporary/with-static" $(pkg-config --static --cflags --libs tenon)
check "pkg-config, static" "$temporary/with-static"
