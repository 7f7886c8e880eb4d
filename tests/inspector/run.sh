#!/bin/sh
# The Inspector's command line against the conformance server; see run.mjs.
here=$(dirname "$0")
exec "$here/../js/node" "$here/run.mjs" "$@"
