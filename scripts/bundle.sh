# Sourced by ./pawl for commands that only look, with $root, $main and $PAWL_NODE set. Sets main to a
# bundle of the sources as they are now: it starts in two thirds of their time. Built once per change
# of the sources; where that fails, or find cannot tell what changed, the sources run.

bundle_of_sources() {
  # What root built in a user's checkout, the user cannot write: the sources run.
  for place in "$root/.tools" "$root/.tools/bundles" "$root/.tools/bootstrap.log"; do
    [ ! -e "$place" ] || [ -w "$place" ] || return 0
  done
  # Names, sizes and times of all that goes into it: about a quarter of a start of Node.
  bundle_sum=$(cd "$root" && find src formulas scripts/build.ts package-lock.json \
    -name '*.test.ts' -o -path src/page -prune -o -printf '%P%s%T@' 2>/dev/null | cksum)
  # No bytes: a find without -printf, as on macOS.
  case $bundle_sum in *' 0') return 0 ;; esac
  bundle_dir=$root/.tools/bundles/${bundle_sum% *}-${bundle_sum#* }
  if [ ! -d "$bundle_dir" ]; then
    "$PAWL_NODE" --disable-warning=ExperimentalWarning "$root/scripts/build-bundle.ts" \
      "$bundle_dir" >>"$root/.tools/bootstrap.log" 2>&1 </dev/null ||
      # Not tried again before the next change.
      mkdir -p "$bundle_dir" 2>/dev/null || :
  fi
  [ ! -f "$bundle_dir/main.js" ] || main=$bundle_dir/main.js
}

bundle_of_sources
