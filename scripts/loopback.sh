#!/bin/sh
# Runs a command without any network but loopback, where the machine allows that (root on Linux);
# elsewhere it says so and runs it as it is.
if [ "$(id -u)" = 0 ] && command -v ip >/dev/null && unshare -n true 2>/dev/null; then
  exec unshare -n sh -c 'ip link set lo up && exec "$@"' sh "$@"
fi
echo "note: no network namespace here: $1 runs with the machine's own network"
exec "$@"
