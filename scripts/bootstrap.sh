# Sourced by ./pawl and scripts/with-node, with $root set to the checkout. Sets
# PAWL_NODE to a Node of at least 24 and sees that node_modules is what the lock
# file says. Writes to stderr only. The warm path must stay below 10 ms: it starts
# one process (cksum) and never asks Node for its version.

bootstrap_tools=$root/.tools
bootstrap_log=$bootstrap_tools/bootstrap.log
bootstrap_lock=$bootstrap_tools/lock
# An installation takes seconds, on a bad line minutes; after ten the holder of the lock is dead.
bootstrap_wait_max_s=600

bootstrap_say() {
  printf 'pawl: %s\n' "$1" >&2
}

bootstrap_fail() {
  printf 'pawl: %s\n' "$1" >&2
  printf 'hint: %s\n' "$2" >&2
  exit 1
}

# Succeeds, with PAWL_NODE set, when an earlier start has prepared everything.
# The stamp lies in node_modules, so that removing or half installing that folder
# removes the stamp too.
bootstrap_is_warm() {
  PAWL_NODE=
  bootstrap_stamp=
  { read -r PAWL_NODE <"$bootstrap_tools/node-path"; } 2>/dev/null || return 1
  [ -x "$PAWL_NODE" ] || return 1
  { read -r bootstrap_stamp <"$root/node_modules/.pawl-stamp"; } 2>/dev/null || return 1
  [ "$bootstrap_stamp" = "$(cksum <"$root/package-lock.json")" ]
}

# Is the given node at least 24?
bootstrap_node_fits() {
  "$1" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)' \
    >/dev/null 2>&1
}

# Runs npm as the holder of the lock: where a launcher is killed and its npm is
# not, the next one must not start a second npm in the same folder.
#
# npm looks for the machine's own settings (a proxy, a certificate) beside the
# node that runs it, so it is told where they were before that node changed.
bootstrap_npm() {
  npm "$@" --globalconfig "$bootstrap_settings" --no-audit --no-fund --no-update-notifier --fetch-retries=1 \
    --fetch-retry-mintimeout=2000 >>"$bootstrap_log" 2>&1 </dev/null &
  bootstrap_npm_pid=$!
  printf '%s\n' "$bootstrap_npm_pid" >"$bootstrap_lock/pid"
  bootstrap_dots &
  bootstrap_status=0
  wait "$bootstrap_npm_pid" || bootstrap_status=$?
  wait
  bootstrap_npm_pid=
  printf '%s\n' "$bootstrap_self" >"$bootstrap_lock/pid"
  return "$bootstrap_status"
}

# On a terminal, a dot each second for as long as npm runs: it says nothing itself.
bootstrap_dots() {
  [ -t 2 ] || return 0
  while sleep 1 && kill -0 "$bootstrap_npm_pid" 2>/dev/null; do
    printf . >&2
  done
  printf '\n' >&2
}

bootstrap_interrupted() {
  if [ -n "$bootstrap_npm_pid" ]; then
    kill "$bootstrap_npm_pid" 2>/dev/null || :
    wait "$bootstrap_npm_pid" 2>/dev/null || :
  fi
  exit "$1"
}

bootstrap_npm_failed() {
  tail -n 15 "$bootstrap_log" >&2 || :
  bootstrap_fail "$1 (npm's output is above and in $bootstrap_log)" \
    "check that npm reaches its registry ('npm ping') and that the disk is not full, then run this again"
}

bootstrap_need() {
  command -v "$1" >/dev/null 2>&1 || bootstrap_fail "cannot start: $1 is not on PATH" "$2"
}

bootstrap_choose_node() {
  bootstrap_settings=$(npm config get globalconfig 2>/dev/null </dev/null || :)
  bootstrap_found=$(command -v node || :)
  if [ -n "$bootstrap_found" ] && bootstrap_node_fits "$bootstrap_found"; then
    PAWL_NODE=$bootstrap_found
  else
    PAWL_NODE=$bootstrap_tools/node_modules/node/bin/node
    if ! bootstrap_node_fits "$PAWL_NODE"; then
      bootstrap_has="there is no Node on PATH"
      [ -z "$bootstrap_found" ] || bootstrap_has="this Node is $("$bootstrap_found" --version 2>/dev/null || :)"
      bootstrap_say "$bootstrap_has, Pawl needs 24: fetching it into .tools (once)"
      # The package's install script puts the binary in place; npm wants consent.
      printf '{ "private": true, "allowScripts": { "node": true } }\n' >"$bootstrap_tools/package.json"
      # `cd` and not --prefix: that would also move where npm looks for its settings.
      cd "$bootstrap_tools"
      bootstrap_npm install node@24 ||
        bootstrap_npm_failed "cannot fetch node@24"
      bootstrap_node_fits "$PAWL_NODE" ||
        bootstrap_fail "the fetched $PAWL_NODE does not run on this machine" \
          "install Node 24 or newer yourself (nodejs.org, or your package manager), put it first on PATH, and run this again"
    fi
  fi
  printf '%s\n' "$PAWL_NODE" >"$bootstrap_tools/node-path.new"
  mv "$bootstrap_tools/node-path.new" "$bootstrap_tools/node-path"
}

bootstrap_install_dependencies() {
  bootstrap_sum=$(cksum <"$root/package-lock.json")
  bootstrap_say "installing dependencies (once per package-lock.json)"
  cd "$root"
  # npm empties what a link points at, and that is another checkout's installation.
  [ ! -L node_modules ] || rm node_modules
  PATH=${PAWL_NODE%/*}:$PATH
  bootstrap_npm ci || bootstrap_npm_failed "cannot install the dependencies"
  printf '%s\n' "$bootstrap_sum" >"$root/node_modules/.pawl-stamp"
}

# Is the holder of the lock gone? Sets bootstrap_holder to its pid, or to "none"
# where it died before it could write one.
bootstrap_lock_is_stale() {
  bootstrap_holder=
  { read -r bootstrap_holder <"$bootstrap_lock/pid"; } 2>/dev/null || :
  if [ -z "$bootstrap_holder" ]; then
    bootstrap_holder=none
    bootstrap_nameless_s=$((bootstrap_nameless_s + 1))
    [ "$bootstrap_nameless_s" -gt 5 ]
    return
  fi
  bootstrap_nameless_s=0
  ! [ -d "/proc/$bootstrap_holder" ] && ! kill -0 "$bootstrap_holder" 2>/dev/null
}

# A stale lock is taken over in place, never removed: between seeing it and
# removing it, another launcher may have replaced it by a live one. The folder
# named after the dead holder lets exactly one launcher win.
bootstrap_take_over() {
  bootstrap_dead=$bootstrap_holder
  mkdir "$bootstrap_lock/after-$bootstrap_dead" 2>/dev/null || return 1
  bootstrap_lock_is_stale && [ "$bootstrap_holder" = "$bootstrap_dead" ]
}

bootstrap_acquire_lock() {
  bootstrap_waited_s=0
  bootstrap_nameless_s=0
  until mkdir "$bootstrap_lock" 2>/dev/null; do
    if bootstrap_lock_is_stale && bootstrap_take_over; then
      break
    fi
    [ "$bootstrap_waited_s" -ne 0 ] || bootstrap_say "waiting for another start (pid $bootstrap_holder) to finish installing"
    [ "$bootstrap_waited_s" -lt "$bootstrap_wait_max_s" ] ||
      bootstrap_fail "another start (pid $bootstrap_holder) has held $bootstrap_lock for ${bootstrap_wait_max_s} s" \
        "if no installation is running, remove that folder and run this again"
    sleep 1
    bootstrap_waited_s=$((bootstrap_waited_s + 1))
  done
  printf '%s\n' "$bootstrap_self" >"$bootstrap_lock/pid"
}

bootstrap_prepare() {
  bootstrap_need npm "install Node.js with npm (Debian: apt-get install nodejs npm; others: nodejs.org), then run this again"
  bootstrap_need git "install git (Debian: apt-get install git), then run this again"
  { mkdir -p "$bootstrap_tools" && : >>"$bootstrap_log"; } 2>/dev/null ||
    bootstrap_fail "cannot write to $bootstrap_tools, where the first start puts Node 24 and its log" \
      "run this once as the owner of $root, or clone Pawl to a folder that you may write to"
  # A subshell, so that its traps release the lock and are gone before exec. $$ would
  # be its parent, which may be killed alone.
  (
    bootstrap_self=$(exec sh -c 'echo "$PPID"')
    bootstrap_npm_pid=
    bootstrap_acquire_lock
    trap 'rm -rf "$bootstrap_lock"' EXIT
    trap 'bootstrap_interrupted 130' INT
    trap 'bootstrap_interrupted 143' TERM HUP
    if ! bootstrap_is_warm; then
      : >"$bootstrap_log"
      bootstrap_choose_node
      bootstrap_is_warm || bootstrap_install_dependencies
    fi
  ) || exit
  bootstrap_is_warm ||
    bootstrap_fail "the installation in $root did not last: node_modules or .tools changed meanwhile" \
      "run this again"
}

bootstrap_is_warm || bootstrap_prepare

NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$bootstrap_tools/compile-cache}
export NODE_COMPILE_CACHE
