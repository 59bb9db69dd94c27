# Read by the scripts that fetch an agent's program from npm; it does nothing by itself.
#
#   fetch_npm FOLDER FILE PACKAGE@VERSION
#
# FOLDER is in the cache; FILE, below it, is what must be there afterwards. Install scripts are not
# run: each program is in its package as a whole.

fetch_npm() {
  [ ! -e "$1/$2" ] || return 0
  mkdir -p "${1%/*}"
  # One fetch at a time: a second one would only make the first slower.
  exec 9>"$1.lock"
  flock 9
  [ ! -e "$1/$2" ] || return 0
  # Made aside and renamed, so that a fetch that was cut short is never taken for a whole one.
  aside=$(mktemp -d "${1%/*}/fetch.XXXXXX")
  trap 'rm -rf "$aside"' EXIT
  npm install --prefix "$aside" --ignore-scripts --no-audit --no-fund --save-exact \
    --engine-strict=false "$3" >&2
  mv -T "$aside" "$1"
  exec 9>&-
}
