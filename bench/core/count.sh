#!/usr/bin/env bash
# Instructions of one call, by callgrind: the same on every run, whatever else the machine does. Setting up is left
# out by taking the difference between loops of N and 2N calls.
#
#     bench/core/count.sh [NAME...]    measurements of bench/core/core.c
set -euo pipefail
cd "$(dirname "$0")/../.."

core=${TENON_BUILD_DIR:-build/release}/bench/core
times=1000
[ $# -gt 0 ] || set -- typical/parse typical/bind typical/call faults/parse faults/bind faults/call

collected() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$core" --loop "$1" "$2" 2>&1 |
        sed -n 's/.*Collected *: *//p'
}

printf '%-32s %s\n' measurement 'instructions for one call'
for name in "$@"; do
    once=$(collected "$name" $times)
    twice=$(collected "$name" $((2 * times)))
    printf '%-32s %d\n' "$name" $(((twice - once) / times))
done
