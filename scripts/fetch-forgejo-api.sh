#!/bin/sh
# Puts Forgejo's Swagger description into a cache outside the checkout, once, and prints its path.
# Forgejo itself cannot be built everywhere; the Rust client `forgejo-api` carries the description, and
# crates.io has it. Tests hold every request to the fake Gitea against it.
# If it cannot be fetched, it says why on stderr and exits 1; tests then say that nothing was checked.
#
#   sh scripts/fetch-forgejo-api.sh
set -eu

# test/support/api-description/load.ts names the same version.
version=0.12.0
cache=${PAWL_TEST_CACHE:-/var/tmp/pawl-test-cache}
file=$cache/forgejo-api-$version.json

if [ ! -s "$file" ]; then
  mkdir -p "$cache"
  # Made aside and renamed, so that a fetch that was cut short is never taken for a whole one.
  aside=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$aside"' EXIT
  node -e '
    const [url, file] = process.argv.slice(1);
    fetch(url).then(async (answer) => {
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      require("node:fs").writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    });
  ' "https://static.crates.io/crates/forgejo-api/forgejo-api-$version.crate" "$aside/crate"
  tar -xzOf "$aside/crate" "forgejo-api-$version/swagger.v1.json" >"$aside/api.json"
  [ -s "$aside/api.json" ] || {
    echo "forgejo-api $version has no swagger.v1.json" >&2
    exit 1
  }
  chmod 644 "$aside/api.json"
  mv "$aside/api.json" "$file"
fi
printf '%s\n' "$file"
