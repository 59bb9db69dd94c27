#!/bin/sh
# Looks at the walls from inside, and prints what it finds; the caller judges. Arguments: paths that
# must not be there. Builtins and one readlink, because this runs at every start of an agent.
for path in "$@"; do
  [ ! -e "$path" ] || printf 'seen %s\n' "$path"
done
for path in / /usr /etc /usr/bin /proc/sys/kernel/core_pattern /proc/sysrq-trigger; do
  [ ! -w "$path" ] || printf 'writable %s\n' "$path"
done
[ -w . ] || printf 'locked %s\n' "$PWD"
printf 'parent %s\n' "$PPID"
interfaces=0
while read -r name rest; do
  case $name in
    lo:* | *"|"* | Inter-* | face) ;;
    *:*) interfaces=$((interfaces + 1)) ;;
  esac
done 2>/dev/null </proc/net/dev
printf 'interfaces %s\n' "$interfaces"
while read -r name value; do
  case $name in Seccomp:) printf 'filter %s\n' "$value" ;; esac
done </proc/self/status
for path in /proc/keys /proc/key-users; do
  [ ! -r "$path" ] || ! read -r line <"$path" || printf 'seen %s\n' "$path"
done 2>/dev/null
while read -r line; do
  case $line in Max\ *) printf '%s\n' "$line" ;; esac
done </proc/self/limits
exec readlink /proc/self/ns/pid /proc/self/ns/ipc /proc/self/ns/uts /proc/self/ns/mnt \
  /proc/self/ns/user /proc/self/ns/net
