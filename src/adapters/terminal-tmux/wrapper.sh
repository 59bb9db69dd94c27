#!/bin/sh
# Runs one agent on the pane's tty, and leaves on disk what became of it. POSIX sh, so that it needs
# no Node and outlives every daemon. It prints no text, and no value of a request is ever part of a
# command here: the agent's words arrive quoted in DIR/launch.sh.
#
#   sh wrapper.sh leader DIR SESSION LOG   the pane's process and session leader; only waits
#   sh wrapper.sh record DIR SESSION       the wrapper: holds DIR/alive, writes DIR/exit.json
#   sh wrapper.sh agent DIR                becomes the agent
#
# A shell looks at no signal while its foreground child runs, and when a tty hangs up Linux tells
# only the session leader. So the leader is a process of its own that HUP may kill: its death sends
# HUP to the whole foreground group, and the wrapper lives on to write the record.
#
# All of them share one process group: it owns the tty already, Ctrl-C reaches the agent, Ctrl-Z
# cannot strand it (the group is orphaned), and no job control is needed, which would end dash with
# an error, and without a record, once the tty is gone.

umask 077
mode=$1
dir=$2

# Sets `started`, which with the pid names a process for good: ticks since the boot, and which boot.
start_of() {
  if read -r stat 2>/dev/null <"/proc/$1/stat"; then
    stat=${stat##*") "}
    set -- $stat
    shift 19
    started=$1
    read -r boot 2>/dev/null </proc/sys/kernel/random/boot_id && started=$started@$boot
  else
    started=$(LC_ALL=C ps -o lstart= -p "$1")
  fi
}

# Sets `ms`. A date without %N leaves a letter there.
now() {
  ms=$(date +%s%3N)
  case $ms in
    "" | *[!0-9]*) ms=$(date +%s)000 ;;
  esac
}

if [ "$mode" = agent ]; then
  start_of $$
  # A failed write costs only the pid: the agent runs all the same.
  {
    cat "$dir/process" && printf 'agent %s %s\n' "$$" "$started"
  } >"$dir/process.agent" 2>/dev/null && mv -f "$dir/process.agent" "$dir/process"
  [ ! -e "$dir/ending" ] || exit 143
  . "$dir/launch.sh"
  exit 126
fi

session=$3
# Caught, not ignored: what is ignored here would be ignored by the agent too. A caught signal
# waits until the child has ended.
trap : INT QUIT TERM USR1 USR2 ALRM PIPE

if [ "$mode" = leader ]; then
  cd / || exit 1
  sh "$0" record "$dir" "$session"

  # When the leader exits, tmux ends the pane and drops the output that it has not yet handed to the
  # log: the last words of an agent that prints and exits. So the leader prints a mark that no
  # terminal shows and stays until the log has it. Not for ever: the log's disk may be full.
  log=$4
  mark=$(printf '\033]7171;end\007')
  # In the background, because a terminal that was stopped with Ctrl-S takes no output.
  printf '%s' "$mark" 2>/dev/null &
  tries=0
  while [ "$tries" -lt 250 ]; do
    case $(tail -c 256 "$log" 2>/dev/null | tr -d '\000') in
      *"$mark"*) exit 0 ;;
    esac
    tries=$((tries + 1))
    # Some sleeps know whole seconds alone.
    sleep 0.02 2>/dev/null || sleep 1
  done
  exit 0
fi

# What comes before there is an agent must not start one.
early=
trap early=129 HUP
trap early=143 TERM

[ -p "$dir/alive" ] || mkfifo "$dir/alive" || exit 1
# Read and write, because opening a FIFO to write only would wait for a reader.
exec 9<>"$dir/alive"

start_of $$
printf 'wrapper %s %s\npane %s\nsession %s\n' "$$" "$started" "$TMUX_PANE" "$session" \
  >"$dir/process.$$" || exit 1
# A link fails where the name is taken: a folder has one life, also if another wrapper tries.
ln "$dir/process.$$" "$dir/process" 2>/dev/null
taken=$?
rm -f "$dir/process.$$"
[ "$taken" -eq 0 ] || exit 0

# The guard passes a hang-up on as TERM to agents that ignore HUP, and leaves a note for an agent
# that was just being started and so missed the signal. It ends when the wrapper does (the FIFO
# closes), and sends TERM then too if the wrapper was killed before it wrote the record.
(
  exec 9>&- 8<"$dir/alive" </dev/null >/dev/null 2>&1
  trap "" INT QUIT TSTP
  # noclobber: an agent inside walls may write in this folder, and a link of its making must not be
  # written through. `true`, because a shell ends where `:` cannot be redirected.
  set -C
  trap 'signalled=1; true >"$dir/ending"' TERM
  trap 'true >"$dir/ending"; trap "" TERM; kill -s TERM 0; exit' HUP
  while
    signalled=
    read -r line <&8 || [ -n "$signalled" ]
  do
    :
  done
  trap "" TERM
  [ -e "$dir/exit.json" ] || kill -s TERM 0
) &

now
began=$ms
code=$early
[ -n "$early" ] || {
  sh "$0" agent "$dir" 9>&-
  code=$?
}
now

# A shell cannot tell `exit 137` from a KILL; both are reported as the signal.
signal=null
if [ "$code" -gt 128 ] && name=$(kill -l "$((code - 128))" 2>/dev/null) && [ -n "$name" ]; then
  code=null
  signal=\"SIG${name#SIG}\"
fi
# The same here: nothing of an agent inside walls runs any more, but what it made is still there.
rm -rf "$dir/exit.json.tmp" "$dir/exit.json"
set -C
printf '{"code":%s,"signal":%s,"startedAt":%s,"endedAt":%s}\n' "$code" "$signal" "$began" "$ms" \
  >"$dir/exit.json.tmp" && mv -f "$dir/exit.json.tmp" "$dir/exit.json"
