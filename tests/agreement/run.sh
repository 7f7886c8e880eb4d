#!/bin/sh
# The library and ajv judge the same arguments by the same published schemas; see agree.mjs.
set -eu
here=$(dirname "$0")
if [ ! -d "$here/../js/node_modules/ajv" ]; then
    echo "ajv is not installed: npm ci --prefix tests/js" >&2
    exit 1
fi
"$TENON_BUILD_DIR/tests/agreement_judge" | node "$here/agree.mjs"
if [ -x "$TENON_BUILD_DIR/tests/agreement_servers" ]; then
    "$TENON_BUILD_DIR/tests/agreement_servers" | node "$here/agree.mjs"
else
    echo "not compared: the tools of the servers, of which not all are built"
fi
