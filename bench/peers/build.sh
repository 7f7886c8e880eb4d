# build.sh - how the peers are built; sourced by the runs that measure them.
#
#     known=FILE; peer NAME TOOL BUILD COMMAND...
#
# builds one by the function BUILD when the tool is here. FILE gets a line with its name and "measured VERSION" or why it is
# not; FILE.commands the name and the command of those that are there. What was built before is kept, and what was
# interrupted is built again: whoever installs files leaves a copy of the list of them when all are there.
# shellcheck shell=bash

# write_report FILE COMMAND...: what the command says, into the file and to the reader; a report that fails keeps the old one.
write_report() {
    local file=$1 text
    shift
    text=$("$@") || { echo "$1 failed: $file stays as it was" >&2; return 1; }
    printf '%s\n' "$text" | tee "$file"
}

peers=$PWD/bench/peers
built=$PWD/build/peers
mkdir -p "$built"

node=node # the newest that is here
for one in tests/js/node_modules/node-linux-*/bin/node; do
    if [ -x "$one" ]; then node=$PWD/$one; fi
done

peer() {
    local name=$1 tool=$2 build=$3 log
    shift 3
    [ -e "$known.commands" ] || : >"$known.commands"
    if ! command -v "$tool" >/dev/null; then
        echo "$name there is no $tool" >>"$known"
        return
    fi
    log=$(mktemp)
    if "$build" >"$log" 2>&1; then
        echo "$name measured $(version_of "$name")" >>"$known"
        echo "$name $*" >>"$known.commands"
    else
        echo "$name it could not be built ($(grep -v '^ *$' "$log" | tail -n 1 | cut -c 1-100 | sed 's|https\{0,1\}://[^ ]*||g'))" >>"$known"
    fi
    rm -f "$log"
}

version_of() {
    case $1 in
    typescript-v2) installed_js "$peers/typescript" @modelcontextprotocol/server ;;
    typescript-v1) installed_js "$peers/typescript" @modelcontextprotocol/sdk ;;
    ajv) installed_js tests/js ajv ;;
    blaze) installed_js bench/js @sourcemeta/jsonschema ;;
    rust) locked_rust rust rmcp ;;
    jsonschema-rs | jsonschema-rs-in-order) locked_rust validators-rust jsonschema ;;
    go) sed -n 's|.*modelcontextprotocol/go-sdk v||p' "$peers/go/go.mod" | head -n 1 ;;
    python) "$built/python/bin/python" -c 'import importlib.metadata as m; print(m.version("fastmcp"))' ;;
    pydantic) "$built/validators-python/bin/python" -c 'import importlib.metadata as m; print(m.version("pydantic"))' ;;
    esac
}
installed_js() { sed -n 's/^ *"version": "\(.*\)",*/\1/p' "$1/node_modules/$2/package.json" | head -n 1; }
locked_rust() { grep -A 1 "^name = \"$2\"$" "$peers/$1/Cargo.lock" | sed -n 's/^version = "\(.*\)"/\1/p' | head -n 1; }

build_typescript() {
    cmp -s "$peers/typescript/package-lock.json" "$peers/typescript/node_modules/.installed-lock" && return
    npm ci --prefix "$peers/typescript" --ignore-scripts --no-audit --no-fund --loglevel=error &&
        cp "$peers/typescript/package-lock.json" "$peers/typescript/node_modules/.installed-lock"
}
build_rust() { CARGO_TARGET_DIR=$built/rust cargo build --release --locked --manifest-path "$peers/rust/Cargo.toml"; }
build_validators_rust() {
    CARGO_TARGET_DIR=$built/validators-rust cargo build --release --locked --manifest-path "$peers/validators-rust/Cargo.toml"
}
build_validators_rust_order() {
    CARGO_TARGET_DIR=$built/validators-rust-order cargo build --release --locked --features order \
        --manifest-path "$peers/validators-rust/Cargo.toml"
}
build_go() { (cd "$peers/go" && go build -trimpath -ldflags="-s -w" -o "$built/go" .); }
build_venv() { # build_venv NAME: bench/peers/NAME/requirements.txt
    cmp -s "$peers/$1/requirements.txt" "$built/$1/.installed" && return
    python3 -m venv --clear "$built/$1" && "$built/$1/bin/pip" install -q -r "$peers/$1/requirements.txt" &&
        cp "$peers/$1/requirements.txt" "$built/$1/.installed"
}
build_python() { build_venv python; }
build_validators_python() { build_venv validators-python; }

build_servers() {
    echo "building the peers (the Rust one takes minutes the first time)" >&2
    : >"$known"
    : >"$known.commands"
    peer typescript-v2 npm build_typescript "$node" "$peers/typescript/v2.mjs"
    peer typescript-v1 npm build_typescript "$node" "$peers/typescript/v1.mjs"
    peer rust cargo build_rust "$built/rust/release/peer"
    peer go go build_go "$built/go"
    peer python python3 build_python "$built/python/bin/python" "$peers/python/peer.py"
}
