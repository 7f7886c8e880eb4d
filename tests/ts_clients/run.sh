#!/bin/sh
# The official TypeScript clients, both generations, against the conformance server; see run.mjs.
here=$(dirname "$0")
exec "$here/../js/node" "$here/run.mjs" "$@"
