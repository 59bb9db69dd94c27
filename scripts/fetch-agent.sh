#!/bin/sh
# Puts the pinned version of an agent into a cache outside the checkout, once, and prints the path of
# its program. If it cannot be fetched, it says why on stderr and exits 1; the caller then skips its
# tests. Claude Code has its own script (fetch-claude.sh), for it is tested in several versions.
#
#   sh scripts/with-node sh scripts/fetch-agent.sh codex|opencode|gemini|copilot|claude-acp
#
# Run it with Node 24, as above: under an older Node npm picks older versions of dependencies.
set -eu

name=${1:?fetch-agent.sh needs the name of an agent}
case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-x64 triple=x86_64-unknown-linux-musl ;;
  Linux-aarch64) platform=linux-arm64 triple=aarch64-unknown-linux-musl ;;
  Darwin-arm64) platform=darwin-arm64 triple=aarch64-apple-darwin ;;
  Darwin-x86_64) platform=darwin-x64 triple=x86_64-apple-darwin ;;
  *)
    echo "there is no $name for $(uname -s) on $(uname -m)" >&2
    exit 1
    ;;
esac

# Native programs are called directly, without the Node script that would start them.
case $name in
  codex)
    package=@openai/codex version=0.169.0
    program=@openai/codex-$platform/vendor/$triple/bin/codex
    ;;
  opencode)
    package=opencode-ai version=1.18.33
    program=opencode-$platform/bin/opencode
    ;;
  gemini)
    package=@google/gemini-cli version=0.61.0
    program=.bin/gemini
    ;;
  copilot)
    package=@github/copilot version=1.0.102
    program=@github/copilot-$platform/copilot
    ;;
  claude-acp)
    package=@agentclientprotocol/claude-agent-acp version=0.99.1
    program=.bin/claude-agent-acp
    ;;
  *)
    echo "fetch-agent.sh does not know an agent named $name" >&2
    exit 1
    ;;
esac

. "$(dirname -- "$0")/fetch-npm.sh"
folder=${PAWL_TEST_CACHE:-/var/tmp/pawl-test-cache}/$name-$version
fetch_npm "$folder" "node_modules/$program" "$package@$version"
printf '%s\n' "$folder/node_modules/$program"
