#!/bin/sh
# The library and ajv judge the same arguments by the same published schemas; see agree.mjs.
set -eu
here=$(dirname "$0")
if [ ! -d "$here/../js/node_modules/ajv" ]; then
    echo "ajv is not installed: npm ci --prefix tests/js" >&2
    exit 1
fi
"$TENON_BUILD_DIR/tests/agreement_judge" | node "$here/agree.mjs"
