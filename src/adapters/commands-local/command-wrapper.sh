#!/bin/sh
# Runs a command once and leaves the record of its end, also where nobody waits for it any more.
# $1: the folder of this attempt; the rest: the command. Making `started` is what decides who runs it;
# whoever comes second ends with 75.
folder=$1
shift
mkdir "$folder/started" 2>/dev/null || exit 75
stat=
[ -r "/proc/$$/stat" ] && read -r stat <"/proc/$$/stat"
printf '%s\n%s\n' "$$" "$stat" >"$folder/process.tmp" && mv "$folder/process.tmp" "$folder/process"
"$@" >"$folder/output" 2>"$folder/errors"
code=$?
printf '%s\n' "$code" >"$folder/exit.tmp" && mv "$folder/exit.tmp" "$folder/exit"
