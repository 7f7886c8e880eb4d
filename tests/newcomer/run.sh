#!/usr/bin/env bash
# README's way from nothing to a tool, in a bare root of Debian 13: its block `sh newcomer` is run there as it stands, in a copy of
# the sources; then the program that it made answers a client.
#
#     tests/newcomer/run.sh            skipped where no root can be made, with the reason
#     tests/newcomer/run.sh --bare     in a root of this script's making; for `scripts/test --full`
#
# Without --bare only the block itself is looked at. The root stays in build/newcomer until the next run.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD/build/newcomer/root

block=$(sed -n '/^```sh newcomer$/,/^```$/p' README.md | sed '1d;$d')
[ -n "$block" ] || { echo "README.md has no block 'sh newcomer'"; exit 1; }
for command in scripts/install "tenon new" "tenon call"; do
    case $block in *"$command"*) ;; *) echo "README's way does not have: $command"; exit 1 ;; esac
done
bash -n <<<"$block"
scripts/install --help >/dev/null
[ "${1-}" = --bare ] || { echo "README's way: read; scripts/test --full runs it in a bare root"; exit; }

skip() {
    echo "newcomer: not tested, $*"
    exit
}
command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap (scripts/setup --matrix installs it)"
[ "$(id -u)" = 0 ] || skip "a root needs root"
unshare --mount true 2>/dev/null || skip "this system allows no mounts"
from=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk -F'|' '$1 == "Debian" && $2 == "Debian" && $3 == "main" { print $4; exit }')
[ -n "$from" ] || skip "apt knows no Debian archive here"

in_root() { # the mounts are of a namespace of their own, and end with the command
    unshare --mount bash -euc 'root=$1; shift
        mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"
        exec chroot "$root" env -i HOME=/srv http_proxy="${http_proxy-}" \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"' in_root "$root" "$@"
}

rm -rf build/newcomer
mkdir -p build/newcomer
mmdebstrap --quiet --variant=minbase trixie "$root" "$from"
cp /etc/resolv.conf "$root/etc/"
mkdir "$root/srv/tenon"
git ls-files -z --cached --others --exclude-standard | tar c --null --files-from=- | tar x -C "$root/srv/tenon"
began=$SECONDS
in_root bash -euc "cd /srv/tenon; $block" | tee build/newcomer/log | tail -n 5
grep -q '100% tests passed' build/newcomer/log
[ "$(tail -n 1 build/newcomer/log)" = "Oslo, 5 days: sunny, 21 °C." ] || { echo "the tool's answer is another one"; exit 1; }
echo "newcomer: $((SECONDS - began)) s from a bare Debian 13 to the answer"
in_root bash -euc 'cd /srv; sed -n "/^.*cpp run as/,/^...$/p" tenon/docs/cpp.md | sed "1d;/^\`\`\`/,\$d" >forecast.cpp
    apt-get install -yq --no-install-recommends g++ >/dev/null
    g++ -std=c++17 forecast.cpp $(pkg-config --cflags --libs tenon) -o forecast
    tenon call ./forecast forecast city=Oslo days=5' | tail -n 1 | grep -x "Oslo, 5 days: sunny, 21 °C."

# The Dockerfile of the project, as Docker would do it; the server answers without anything but the image.
docker=$PWD/build/newcomer/docker
mkdir -p "$docker/weather"
cp "$root"/srv/weather/[CDmt]* "$docker/weather/"
cp -r "$root/srv/tenon" "$docker/weather/tenon"
rm -rf "$docker/weather/tenon/build"
mmdebstrap --quiet --variant=minbase trixie "$docker/slim" "$from"
read -r made user program flags <<<"$(tests/newcomer/dockerfile.py "$docker/weather" "$docker/slim" "$docker" | tail -n 1)"
[ ! -e "$made/usr/bin/cc" ] || { echo "the image has a compiler in it"; exit 1; }
said=$(chroot --userspec="$user" "$made" "/usr/local/bin/$program" $flags 2>&1) && { echo "the image serves any caller"; exit 1; }
case $said in *"give --tokens-file"*) ;; *) echo "the image says: $said"; exit 1 ;; esac
request() { printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":{%s}}\n' "$@"; }
{
    request initialize '"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"newcomer","version":"1"}'
    request tools/call '"name":"forecast","arguments":{"city":"Oslo","days":5}'
} | chroot --userspec="$user" "$made" "/usr/local/bin/$program" | grep -q "Oslo, 5 days: sunny, 21 °C."
echo "newcomer: the Dockerfile makes an image of $(du -sm "$made" | cut -f1) MB, $(du -sm "$docker/slim" | cut -f1) of them Debian's, that answers"

client=tests/js/node_modules/.bin/mcp-inspector
[ -x $client ] || { echo "newcomer: no client called it, tests/js has no packages"; exit; }
tests/js/node $client --cli unshare --mount chroot "$root" /srv/weather/build/weather --method tools/call --tool-name forecast \
    --tool-arg city=Oslo --tool-arg days=5 | grep -q "Oslo, 5 days: sunny" && echo "newcomer: the Inspector called it"
