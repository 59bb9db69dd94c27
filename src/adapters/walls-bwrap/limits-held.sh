#!/bin/sh
# Runs a command in the cgroup it is in, if that cgroup holds the limits that were asked for:
# `limits-held.sh CGROUPS FILE=VALUE … -- COMMAND`. systemd ignores a limit whose controller it may not
# use, and says nothing: so the files are read, and where one differs nothing is started.
own=$1$(sed -n 's/^0:://p' /proc/self/cgroup)
shift
while [ "$1" != -- ]; do
  found=
  read -r found 2>/dev/null <"$own/${1%%=*}" || :
  if [ "$found" != "${1#*=}" ]; then
    printf 'pawl: cannot hold a limit of [isolation]: %s should be %s and is %s\n' \
      "${1%%=*}" "${1#*=}" "${found:-missing}" >&2
    exit 126
  fi
  shift
done
shift
exec "$@"
