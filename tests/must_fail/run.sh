#!/usr/bin/env bash
# Compiles each program here, which is a mistake a user could make, with gcc and clang. It must not compile, and the
# compiler's first error must have the words that the program's first line asks for, an extended regular expression:
#
#     /* words the compiler must say: limt|no member */
#
# All that it prints is short: a reader should not have to look for that line. Where the headers were included is not
# counted.
#
# control.c is a program without a mistake: it must compile without a word, or the rest would prove nothing.
set -u
shopt -s nullglob
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include
flags=(-std=c17 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla
       -Werror=int-conversion -Werror=incompatible-pointer-types -Werror -I "$include")
declare -A most=([gcc]=13 [clang]=45) # lines; clang shows each macro on the way, and those that know C2y show it twice as often
if clang -E -dM "$here/control.c" -I "$include" | grep -q TENON_NO_COUNTER_; then most[clang]=90; fi
failed=0
count=0

fail() {
    printf 'FAIL %s: %s\n' "$1" "$2"
    printf '%s\n' "$3" | head -n 20 | sed 's/^/    /'
    failed=1
}

for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null; then
        fail "$compiler" "is not installed" ""
        continue
    fi
    if ! said=$("$compiler" "${flags[@]}" "$here/control.c" 2>&1) || [ -n "$said" ]; then
        fail "$compiler control.c" "must compile without a word" "$said"
    fi
    for program in "$here"/*.c; do
        name=${program##*/}
        [ "$name" != control.c ] || continue
        words=$(sed -n '1s|^/\* words the compiler must say: \(.*\) \*/$|\1|p' "$program")
        if [ -z "$words" ]; then
            fail "$name" "its first line must be /* words the compiler must say: REGEX */" ""
            continue
        fi
        count=$((count + 1))
        if said=$("$compiler" "${flags[@]}" "$program" 2>&1); then
            fail "$compiler $name" "compiles" "$said"
        elif ! printf '%s\n' "$said" | grep -m 1 'error:' | grep -Eq -- "$words"; then
            fail "$compiler $name" "its first error does not say: $words" "$said"
        elif [ "$(printf '%s\n' "$said" | grep -Evc '^(In file included | +)from ')" -gt "${most[$compiler]}" ]; then
            fail "$compiler $name" "says it in more than ${most[$compiler]} lines" "$said"
        fi
    done
done
echo "$count compilations of wrong programs tried"
exit $failed
