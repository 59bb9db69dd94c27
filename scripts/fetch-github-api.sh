#!/bin/sh
# Puts GitHub's own OpenAPI description into a cache outside the checkout, once, and prints its path.
# Tests hold every request of ours and every answer of the fake GitHub against it. The npm package has
# 385 MB; only the one file for github.com is kept (13 MB).
# If it cannot be fetched, it says why on stderr and exits 1; tests then say that nothing was checked.
#
#   sh scripts/fetch-github-api.sh
set -eu

# test/support/api-description/load.ts names the same version.
version=23.0.2
cache=${PAWL_TEST_CACHE:-/var/tmp/pawl-test-cache}
file=$cache/github-api-$version.json

if [ ! -s "$file" ]; then
  mkdir -p "$cache"
  # Made aside and renamed, so that a fetch that was cut short is never taken for a whole one.
  aside=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$aside"' EXIT
  npm pack --silent --pack-destination "$aside" "@octokit/openapi@$version" >/dev/null
  tar -xzOf "$aside"/*.tgz package/generated/api.github.com.json >"$aside/api.json"
  [ -s "$aside/api.json" ] || {
    echo "@octokit/openapi $version has no generated/api.github.com.json" >&2
    exit 1
  }
  chmod 644 "$aside/api.json"
  mv "$aside/api.json" "$file"
fi
printf '%s\n' "$file"
