#!/bin/sh
# The official TypeScript clients of both generations through the guard; with --full the Inspector's command line and the official
# client for Python too.
here=$(dirname "$0")
export TENON_TEST_GUARDED=1
"$here/../ts_clients/run.sh" || exit
if [ "${1-}" = --full ]; then
    "$here/../inspector/run.sh" && "$here/../clients/run.py" --guarded python
else
    echo "left out: the Inspector and the client for Python, which scripts/test --full runs"
fi
