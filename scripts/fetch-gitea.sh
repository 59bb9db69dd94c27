#!/bin/sh
# Builds the pinned Gitea from its Go module into a cache outside the checkout, once, and prints
# the folder: the `gitea` binary beside the templates and options it reads at run time (no web
# page is built: the tests speak to its API). Its SQLite is C, so that a C compiler is needed too.
# Where it cannot be had, says why on stderr and exits 1; the caller then skips with a message.
set -eu

version=1.26.0
module=code.gitea.io/gitea@v$version
cache=${PAWL_TEST_CACHE:-/var/tmp/pawl-test-cache}
folder=$cache/gitea-$version

if [ ! -x "$folder/gitea" ]; then
  for tool in go gcc; do
    command -v $tool >/dev/null || {
      echo "there is no $tool to build Gitea $version with" >&2
      exit 1
    }
  done
  mkdir -p "$cache"
  # One build at a time: a second one would only make the first slower, and then be thrown away.
  exec 9>"$cache/gitea-$version.lock"
  flock 9
fi
if [ ! -x "$folder/gitea" ]; then
  # Made aside and renamed, so that a build that was cut short is never taken for a whole one.
  aside=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$aside"' EXIT
  source=$(go mod download -json "$module" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p')
  [ -d "$source" ] || {
    echo "the module $module cannot be fetched" >&2
    exit 1
  }
  # The module cache is read-only and shared, and the module's own replacements hold only inside it.
  (cd "$source" && CGO_ENABLED=1 nice -n 19 go build -mod=readonly -trimpath \
    -tags "sqlite sqlite_unlock_notify" \
    -ldflags "-s -w -X main.Version=$version" -o "$aside/gitea" .) >&2
  cp -R "$source/templates" "$source/options" "$source/public" "$aside/"
  chmod -R u+w "$aside"
  chmod 755 "$aside"
  mv -T "$aside" "$folder"
fi
"$folder/gitea" --version </dev/null | grep -q " $version " || {
  echo "$folder/gitea is not version $version" >&2
  exit 1
}
printf '%s\n' "$folder"
