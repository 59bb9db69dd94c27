#!/bin/sh
# Runs a command once and records how it ended, even if the daemon stopped waiting for it.
# $1: the folder of this attempt; the rest: the command. The process that creates `started` runs the
# command; a second one exits with 75.
folder=$1
shift
mkdir "$folder/started" 2>/dev/null || exit 75
stat=
[ -r "/proc/$$/stat" ] && read -r stat <"/proc/$$/stat"
printf '%s\n%s\n' "$$" "$stat" >"$folder/process.tmp" && mv "$folder/process.tmp" "$folder/process"
"$@" >"$folder/output" 2>"$folder/errors"
code=$?
printf '%s\n' "$code" >"$folder/exit.tmp" && mv "$folder/exit.tmp" "$folder/exit"
