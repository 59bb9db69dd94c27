#!/bin/sh
# All of Claude Code's hooks and its statusline, in one script: what it is told goes into the spool
# as it is, and Pawl's daemon reads it as data. POSIX sh; no Node, no jq, at most two programs
# started. Without a daemon or without a spool it does nothing, and it never fails a tool call.
#
#   sh claude-hook.sh event        any hook that only reports
#   sh claude-hook.sh prompt       UserPromptSubmit: what it prints joins the turn (unread mail)
#   sh claude-hook.sh start        SessionStart: after a compaction it prints the protocol again
#   sh claude-hook.sh guard F W D  PreToolUse of tools that write files: refuses Pawl's own ones
#   sh claude-hook.sh statusline   prints `folder | ctx(N%) | HH:MM:SS`

umask 077
dir=${PAWL_SPOOL%/spool}

# Sets `now` (hundredths of a second) without starting a program where there is /proc.
if read -r up idle 2>/dev/null </proc/uptime; then
  now=${up%.*}${up#*.}
else
  now=$(date +%s)00
fi

# Sets `name`, in the order of calls: the spool is read by name.
number=0
new_name() {
  number=$((number + 1))
  stamp=0000000000000$now
  pid=0000000$$
  name=${stamp#"${stamp%?????????????}"}-${pid#"${pid%???????}"}-$number
}

# Puts a text into the spool: written aside and renamed, so that it is whole when it is seen.
spool() {
  [ -d "$PAWL_SPOOL/new" ] || return 0
  new_name
  printf '%s\n' "$1" >"$PAWL_SPOOL/tmp/$name" 2>/dev/null &&
    mv -f "$PAWL_SPOOL/tmp/$name" "$PAWL_SPOOL/new/$name.json" 2>/dev/null
  return 0
}

# A running daemon writes the heartbeat every 10 s and removes the file when it is told to stop. A
# heartbeat older than a minute is reported once, to the next reader of the spool.
watch_heartbeat() {
  [ -e "${PAWL_HEARTBEAT:-}" ] && [ -d "$dir" ] || return 0
  seen=$dir/heartbeat-seen
  if [ ! -e "$seen" ] || [ "$PAWL_HEARTBEAT" -nt "$seen" ]; then
    printf '%s\n' "$now" >"$seen" 2>/dev/null
    return 0
  fi
  read -r since 2>/dev/null <"$seen" || return 0
  case $since in
    "" | *[!0-9]*) return 0 ;;
  esac
  [ "$((now - since))" -gt 6000 ] || return 0
  spool "{\"v\":1,\"kind\":\"ping\",\"silent\":$(((now - since) / 100))}"
  printf 'reported\n' >"$seen" 2>/dev/null
}

# A message that is this very prompt is marked read. typed/ first: what Pawl gives up typing goes back
# to new/, and is found there.
mark_read() {
  for box in typed new; do
    for file in "$PAWL_INBOX/$box"/*.md; do
      [ -f "$file" ] && IFS= read -r first 2>/dev/null <"$file" || continue
      case $1 in
        *"$first\\nKind: "*) mv -f "$file" "$PAWL_INBOX/cur/" 2>/dev/null ;;
      esac
    done
  done
}

# Other mail that is not read yet joins this turn, but for what Pawl is typing (typed/). The
# one that moves a message out of new/ has it, so it is moved before it is shown.
show_mail() {
  for file in "$PAWL_INBOX"/new/*.md; do
    [ -f "$file" ] && mv -f "$file" "$PAWL_INBOX/cur/" 2>/dev/null &&
      cat "$PAWL_INBOX/cur/${file##*/}"
  done
}

# The reason is shown to the model. It has no quote and no backslash in it.
refuse() {
  printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Pawl refuses this: %s."}}\n' "$1"
}

case $1 in
  event)
    if [ -d "$PAWL_SPOOL/new" ]; then
      new_name
      cat >"$PAWL_SPOOL/tmp/$name" 2>/dev/null &&
        mv -f "$PAWL_SPOOL/tmp/$name" "$PAWL_SPOOL/new/$name.json" 2>/dev/null
    fi
    ;;
  prompt)
    payload=$(cat)
    # Marked first: what is reported as read lies in cur/, where the next life looks for what was lost.
    mark_read "$payload"
    spool "$payload"
    show_mail
    ;;
  start)
    payload=$(cat)
    spool "$payload"
    case $payload in
      *'"source":"compact"'*)
        cat "$dir/protocol.md" "${PAWL_HOOK_FILE:-/dev/null}" 2>/dev/null
        ;;
    esac
    ;;
  guard)
    # Below the factory F nothing is an agent's but its workspace W and its session's folder D. In
    # JSON a quote within a text has a backslash before it, so that this can only be the key itself;
    # what cannot be read plainly is refused too.
    path=$(sed -n -e '/"file_path" *:.*"file_path" *:/{s/.*/\\/p;q;}' \
      -e 's/.*"file_path" *: *"\([^"]*\)".*/\1/p' \
      -e 's/.*"notebook_path" *: *"\([^"]*\)".*/\1/p')
    case $path in
      "" | *\\* | */../* | */..) refuse "the path of the file cannot be read plainly" ;;
      "$3"/* | "$4"/*) ;;
      "$2"/*) refuse "$path belongs to the factory that runs you: change files in your workspace $3 only" ;;
    esac
    exit 0
    ;;
  statusline)
    # The payload is one line, read without starting a program. Further lines are read too.
    IFS= read -r payload
    case $payload in
      *"}") ;;
      *) payload=$payload$(cat) ;;
    esac
    clock=$(date +%H:%M:%S)
    folder=${payload#*'"cwd":"'}
    folder=${folder%%'"'*}
    used=${payload#*'"used_percentage":'}
    used=${used%%[!0-9]*}
    printf '%s | ctx(%s%%) | %s\n' "${folder##*/}" "${used:-0}" "$clock"
    # What this life has cost so far, by Claude Code's own account.
    cost=${payload#*'"total_cost_usd":'}
    cost=${cost%%[!0-9.e-]*}
    [ -z "$cost" ] || [ ! -d "$dir" ] || printf '%s\n' "$cost" >"$dir/cost" 2>/dev/null
    spool "{\"pawl_clock\":\"$clock\",${payload#\{}"
    ;;
esac
watch_heartbeat
exit 0
