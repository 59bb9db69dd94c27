#!/bin/sh
# Puts a version of Claude Code into a cache outside the checkout, once, and prints the path of its
# native binary. Tests call that binary directly: it needs no Node and no install script.
# If it cannot be fetched, it says why on stderr and exits 1; the caller then skips its tests.
#
#   sh scripts/fetch-claude.sh [VERSION]
#
# VERSION is a number or `newest` (on the registry); default: $PAWL_CLAUDE_VERSION, else the pinned one.
set -eu

pinned=2.1.325
version=${1:-${PAWL_CLAUDE_VERSION:-$pinned}}
[ "$version" != newest ] || version=$(npm view @anthropic-ai/claude-code version)
cache=${PAWL_TEST_CACHE:-/var/tmp/pawl-test-cache}
folder=$cache/claude-$version

case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-x64 ;;
  Linux-aarch64) platform=linux-arm64 ;;
  Darwin-arm64) platform=darwin-arm64 ;;
  Darwin-x86_64) platform=darwin-x64 ;;
  *)
    echo "there is no Claude Code for $(uname -s) on $(uname -m)" >&2
    exit 1
    ;;
esac
binary=$folder/node_modules/@anthropic-ai/claude-code-$platform/claude

. "$(dirname -- "$0")/fetch-npm.sh"
fetch_npm "$folder" "${binary#"$folder/"}" "@anthropic-ai/claude-code@$version"
[ "$("$binary" --version </dev/null | cut -d ' ' -f 1)" = "$version" ] || {
  echo "$binary is not version $version" >&2
  exit 1
}
printf '%s\n' "$binary"
