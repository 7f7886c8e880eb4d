#!/bin/sh
# The official conformance suites through the guard, in front of the conformance server: every check passes, as with the server
# alone. With --pinned, in front of servers that speak one revision each; see pinned.py.
here=$(dirname "$0")
export TENON_TEST_GUARDED=1
[ "${1-}" != --pinned ] || exec "$here/pinned.py"
exec "$here/../conformance/run.sh" "$@"
