#!/bin/sh
# The library and ajv judge the same values by the same schemas; see agree.mjs.
set -eu
here=$(dirname "$0")
if [ ! -d "$here/../js/node_modules/ajv" ]; then
    echo "ajv is not installed: npm ci --prefix tests/js" >&2
    exit 1
fi
exec node "$here/agree.mjs" "$TENON_BUILD_DIR/tests/schema_agreement_judge"
