#!/bin/sh
# Runs a command as an ordinary user: over a copy of this checkout, with a home of its own and with
# the machine's own git configuration. For tests: root may read, write and signal everything, so that
# they pass as root where they would fail for a user. Only root can become another user.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
# Without an account of its own, which a machine may not have: `nobody` on every Linux.
user=65534

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
  echo "as-user.sh: cannot become another user: this needs root and setpriv (util-linux)" >&2
  exit 3
fi
as_user() {
  setpriv --reuid=$user --regid=$user --clear-groups "$@"
}
# By hard links where the file system is the same; what is linked stays root's.
copy() {
  cp -al "$1" "$2" 2>/dev/null || { rm -rf "$2" && cp -a "$1" "$2"; }
}

# A folder of root's own on the PATH makes "permission denied" of a command that is not there.
path=$(IFS=: && for folder in $PATH; do as_user test -x "$folder" && printf '%s:' "$folder"; done) ||
  : "the last folder is closed"

place=$(mktemp -d /tmp/pawl-user-XXXXXX)
trap 'rm -rf "$place"' EXIT
mkdir "$place/checkout" "$place/checkout/node_modules" "$place/home" "$place/tmp"
git -C "$root" -c safe.directory='*' ls-files -z --cached --others --exclude-standard |
  tar -C "$root" --null --files-from=- -cf - | tar -C "$place/checkout" -xf -
# The checkout itself may be closed to others, and so are its packages and its Node then.
mkdir "$place/lib"
copy "$root/node_modules" "$place/lib/node_modules"
copy "$(dirname -- "$(command -v node)")" "$place/bin"
for name in "$place"/lib/node_modules/* "$place"/lib/node_modules/.bin; do
  ln -s "$name" "$place/checkout/node_modules/"
done
chown $user:$user "$place"
chown -R $user:$user "$place/checkout" "$place/home" "$place/tmp"
cd "$place/checkout"
as_user env -u XDG_RUNTIME_DIR -u XDG_CONFIG_HOME PATH="$place/bin:$place/lib/node_modules/.bin:${path%:}" \
  HOME="$place/home" TMPDIR="$place/tmp" USER=nobody LOGNAME=nobody \
  NODE_COMPILE_CACHE="$place/tmp/compile-cache" PAWL_TEST_GITCONFIG=machine "$@"
