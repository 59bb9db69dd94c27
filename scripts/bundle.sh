# Sourced by ./pawl for commands that only look, with $root set. Sets main to a bundle of the sources
# as they are now: it starts in two thirds of their time. Built once per change of the sources; where
# that fails, or find cannot tell what changed, the sources run.

bundle_folder=$root/.tools/bundles
# The bundle of the last start that compared everything. Its time is from before it looked.
bundle_last=$bundle_folder/last

# What goes into a bundle. The rest of the command line says what to do with each file.
bundle_find() {
  (cd "$root" && exec find src formulas scripts/build.ts package-lock.json \
    -name '*.test.ts' -o -path src/page -prune -o "$@")
}

# Succeeds, with main and PAWL_NODE set, when nothing has changed since the last bundle was found: by
# the times of the inodes, which no program can set back. It starts one process (find). A find that
# does not know these words says so, and is not believed.
bundle_is_current() {
  { read -r bundle_dir <"$bundle_last" && read -r PAWL_NODE <"$root/.tools/node-path"; } 2>/dev/null || return 1
  [ -f "$bundle_dir/main.js" ] && [ -x "$PAWL_NODE" ] && [ -e "$root/node_modules/.pawl-stamp" ] || return 1
  [ -z "$(bundle_find -cnewer "$bundle_last" -print -quit 2>&1)" ] || return 1
  main=$bundle_dir/main.js
  NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$root/.tools/compile-cache}
  export NODE_COMPILE_CACHE
}

# After the bootstrap, which sets PAWL_NODE.
bundle_of_sources() {
  # What root built in a user's checkout, the user cannot write: the sources run.
  for place in "$root/.tools" "$bundle_folder" "$root/.tools/bootstrap.log"; do
    [ ! -e "$place" ] || [ -w "$place" ] || return 0
  done
  mkdir -p "$bundle_folder" && : >"$bundle_last.before-$$" || return 0
  # Names, sizes and inode times of all that goes into it: about a quarter of a start of Node.
  bundle_sum=$(bundle_find -printf '%P%s%C@' 2>/dev/null | cksum)
  # No bytes: a find without -printf, as on macOS.
  case $bundle_sum in
  *' 0')
    rm -f "$bundle_last.before-$$"
    return 0
    ;;
  esac
  bundle_dir=$bundle_folder/${bundle_sum% *}-${bundle_sum#* }
  if [ ! -d "$bundle_dir" ]; then
    "$PAWL_NODE" --disable-warning=ExperimentalWarning "$root/scripts/build-bundle.ts" \
      "$bundle_dir" >>"$root/.tools/bootstrap.log" 2>&1 </dev/null ||
      # Not tried again before the next change.
      mkdir -p "$bundle_dir" 2>/dev/null || :
  fi
  if [ -f "$bundle_dir/main.js" ]; then
    main=$bundle_dir/main.js
    # Both at once: another launcher may look at changed sources meanwhile.
    printf '%s\n' "$bundle_dir" >"$bundle_last.$$" && touch -r "$bundle_last.before-$$" "$bundle_last.$$" &&
      mv "$bundle_last.$$" "$bundle_last"
  fi
  rm -f "$bundle_last.before-$$"
}
