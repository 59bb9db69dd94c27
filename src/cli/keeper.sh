#!/bin/sh
# Who watches the watcher: runs the daemon and starts it again when it dies, unless the operator
# said `pawl down`. Usage: keeper.sh PAWL_HOME COMMAND [ARG…]. Never touches an agent.
home=$1
shift
log=$home/daemon.log
delay=1
trap 'kill -TERM "$child" 2>/dev/null; wait "$child"; exit 0' TERM INT

# Tells the daemon that it may exit to restart fresh: this script starts it again.
PAWL_KEPT=1
export PAWL_KEPT

while :; do
  # A long log is cut to its end while no daemon writes it.
  if [ -f "$log" ] && [ "$(wc -c < "$log")" -gt 20000000 ]; then
    tail -c 5000000 "$log" > "$log.tmp" && mv "$log.tmp" "$log"
  fi
  started=$(date +%s)
  "$@" &
  child=$!
  wait "$child"
  code=$?
  # A daemon that was aborted could not say what it was doing; the next one finds out.
  PAWL_LAST_EXIT=$code
  export PAWL_LAST_EXIT
  [ -e "$home/stopped" ] && exit 0
  # 75: another daemon has the factory; that one has a keeper of its own.
  [ "$code" -eq 75 ] && exit 0
  # 77: `pawl down` ended it. A `pawl up` right after that has removed the mark by now.
  [ "$code" -eq 77 ] && exit 0
  # 76: it has grown, and wants to be restarted.
  [ "$code" -eq 76 ] && continue
  now=$(date +%s)
  # A daemon that lived a while starts again at once; one that cannot live is not hurried.
  if [ $((now - started)) -ge 60 ]; then delay=1; fi
  printf '{"level":50,"time":"%s","msg":"the daemon died with exit code %s; the keeper starts it again in %s s"}\n' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$code" "$delay" >> "$log"
  sleep "$delay" &
  child=$!
  wait "$child"
  [ -e "$home/stopped" ] && exit 0
  delay=$((delay * 2))
  [ "$delay" -gt 8 ] && delay=8
done
