#!/bin/sh
# Builds the pinned mergiraf from crates.io into a cache outside the checkout, once, and prints the
# path of its program. Pawl runs it as any other resolver of conflicts; nothing is linked (GPL-3).
# Where it cannot be had, says why on stderr and exits 1; the caller then skips with a message.
set -eu

version=0.20.0
cache=${PAWL_TEST_CACHE:-/var/tmp/pawl-test-cache}
folder=$cache/mergiraf-$version
program=$folder/bin/mergiraf

if [ ! -x "$program" ]; then
  for tool in cargo cc; do
    command -v $tool >/dev/null || {
      echo "there is no $tool to build mergiraf $version with" >&2
      exit 1
    }
  done
  mkdir -p "$cache"
  # One build at a time: a second one would only make the first slower, and then be thrown away.
  exec 9>"$cache/mergiraf-$version.lock"
  flock 9
fi
if [ ! -x "$program" ]; then
  # Made aside and renamed, so that a build that was cut short is never taken for a whole one.
  aside=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$aside"' EXIT
  # The profile is for a short build: the tests merge small files.
  CARGO_TARGET_DIR=$aside/target CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off \
    nice -n 19 cargo install --quiet --locked --no-track --version "$version" \
    --root "$aside/root" mergiraf >&2
  mv -T "$aside/root" "$folder"
fi
"$program" --version </dev/null | grep -q " $version\$" || {
  echo "$program is not version $version" >&2
  exit 1
}
printf '%s\n' "$program"
