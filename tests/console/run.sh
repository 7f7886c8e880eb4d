#!/bin/sh
# The console in a real browser; see run.mjs.
here=$(dirname "$0")
for name in chromium chromium-browser google-chrome; do
    found=$(command -v "$name") && break
done
if [ -z "$found" ]; then
    echo "tests/console did not run: there is no Chromium here; scripts/setup installs it"
    exit 0
fi
TENON_CHROMIUM=$found exec "$here/../js/node" "$here/run.mjs" "$@"
