#!/bin/sh
# Puts the Swagger description of the pinned Gitea into a cache outside the checkout, once, and prints
# its path. Tests hold every request of ours and every answer of the fake Gitea against it. It is
# taken from the built Gitea if there is one, else from its Go module, which is not built for this.
# If it cannot be had, it says why on stderr and exits 1; tests then say that nothing was checked.
#
#   sh scripts/fetch-gitea-api.sh
set -eu

# scripts/fetch-gitea.sh and test/support/api-description/load.ts name the same version.
version=1.26.0
cache=${PAWL_TEST_CACHE:-/var/tmp/pawl-test-cache}
file=$cache/gitea-api-$version.json
template=templates/swagger/v1_json.tmpl

if [ ! -s "$file" ]; then
  mkdir -p "$cache"
  source=$cache/gitea-$version
  if [ ! -s "$source/$template" ]; then
    command -v go >/dev/null || {
      echo "there is no go to fetch the module of Gitea $version with" >&2
      exit 1
    }
    source=$(go mod download -json "code.gitea.io/gitea@v$version" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p')
  fi
  [ -s "$source/$template" ] || {
    echo "Gitea $version cannot be fetched, or has no $template" >&2
    exit 1
  }
  # Made aside and renamed, so that a copy that was cut short is never taken for a whole one.
  aside=$(mktemp "$cache/fetch.XXXXXX")
  trap 'rm -f "$aside"' EXIT
  # The server fills in its own version and address.
  sed 's/{{[^}]*}}//g' "$source/$template" >"$aside"
  chmod 644 "$aside"
  mv "$aside" "$file"
fi
printf '%s\n' "$file"
