#!/usr/bin/env bash
# The instructions of a call, layer by layer, stay within bench/budget.txt; `bench/budget/count.py --update` rewrites it.
set -euo pipefail
exec "$(dirname "$0")/../../bench/budget/count.py" "$@"
