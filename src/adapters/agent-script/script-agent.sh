#!/bin/sh
# The built-in agent without a model: runs the fenced `sh` blocks of its issue, commits, and speaks
# Pawl's contract (PAWL_PROMPT_FILE, PAWL_PHASE_FILE, PAWL_INBOX, PAWL_RESULT_FILE). For a task it
# runs the block of its role, which writes the result. See docs/script-agent.md.
# POSIX sh, git and awk only. It never merges and never pushes.
set -u

say() { printf 'script-agent: %s\n' "$*"; }

# phase NAME [REASON]: renamed into place, so that a reader never sees half of a file.
phase() {
  last_phase=$1
  last_reason=${2-}
  {
    printf 'PHASE:%s\n' "$1"
    if [ -n "${2-}" ]; then printf 'Reason: %s\n' "$2"; fi
  } >"$PAWL_PHASE_FILE.tmp" && mv -f "$PAWL_PHASE_FILE.tmp" "$PAWL_PHASE_FILE"
  say "PHASE:$1${2:+ ($2)}"
}

give_up() {
  phase failed "$1"
  exit 0
}

# The issue as it stands between the markers of the prompt.
issue() {
  tr -d '\r' <"$PAWL_PROMPT_FILE" | awk '
    /^<!-- \/pawl:issue -->$/ { inside = 0 }
    inside { print }
    /^<!-- pawl:issue -->$/ { inside = 1 }'
}

# block TAG: the first fenced block on stdin whose info string is TAG; exit 1 where there is none.
# All fences are followed, so that a block quoted inside another one does not count.
block() {
  awk -v tag="$1" '
    {
      line = $0
      sub(/^ ? ? ?/, "", line)
      mark = substr(line, 1, 1)
      run = 0
      if (mark == "`" || mark == "~") while (substr(line, run + 1, 1) == mark) run++
      rest = substr(line, run + 1)
      gsub(/[ \t]+/, " ", rest)
      gsub(/^ | $/, "", rest)
    }
    open && run >= open && mark == fence && rest == "" {
      open = 0
      if (found) exit
      next
    }
    open { if (found) print; next }
    run >= 3 { open = run; fence = mark; found = (rest == tag); seen = seen || found }
    END { exit !seen }'
}

# What fenced blocks on stdin hold, without the fences: text of others that the brief of a task quotes.
quoted() {
  awk '
    {
      line = $0
      sub(/^ ? ? ?/, "", line)
      mark = substr(line, 1, 1)
      run = 0
      if (mark == "`" || mark == "~") while (substr(line, run + 1, 1) == mark) run++
      rest = substr(line, run + 1)
    }
    open && run >= open && mark == fence && rest ~ /^[ \t]*$/ { open = 0; print ""; next }
    open { print; next }
    run >= 3 { open = run; fence = mark }'
}

# The first heading of the issue, else its first line; without the number that Pawl may put there.
title() {
  issue | awk '
    NF && !first { first = $0 }
    /^#+ / && !heading { heading = $0 }
    END { print heading ? heading : first }' |
    sed -e 's/^#* *//' -e 's/^\(Issue \)\{0,1\}#[0-9][0-9]*[:.]\{0,1\} *//' -e 's/ *(#[0-9]*)$//'
}

# The branch of origin that work lands on: a workspace of Pawl's knows no other.
target() {
  git symbolic-ref --quiet --short refs/remotes/origin/HEAD && return
  set -- $(git for-each-ref --format='%(refname:short)' refs/remotes/origin)
  [ $# -eq 1 ] && printf '%s\n' "$1"
}

has_commits() {
  base=$(target) || return 1
  [ "$(git rev-list --count "$base..HEAD" 2>/dev/null || echo 0)" -gt 0 ]
}

# Commits what is there and not ignored; fine where there is nothing.
commit_all() {
  git add -A || return 1
  git diff --cached --quiet && return 0
  subject=$(title)
  git commit --quiet -m "${subject:-Work on the issue}${PAWL_ISSUE:+ (#$PAWL_ISSUE)}"
}

# find_block TAG: keeps the issue's block of that tag for run_block; 1 where there is none.
find_block() {
  issue | block "$1" >"$scratch/block.sh"
}

# run_block [MESSAGE]: in the workspace, by a shell that stops at the first error; then commits.
run_block() {
  PAWL_MESSAGE_FILE=${1-} sh -eu "$scratch/block.sh" </dev/null && commit_all
}

# The block of a task: its own, else the one for its role in what it quotes (an issue's text).
task_work() {
  # shellcheck disable=SC2016
  find_block sh ||
    issue | quoted | block "sh $PAWL_ROLE" >"$scratch/block.sh" ||
    give_up "the task has no fenced block that starts with \`\`\`sh or \`\`\`sh $PAWL_ROLE"
  say 'running the block of the task'
  run_block || give_up "the sh block of the task failed (exit $?)"
}

first_work() {
  if [ -z "${PAWL_ISSUE-}" ]; then task_work; return; fi
  if [ "${PAWL_EPOCH:-1}" -gt 1 ] && has_commits; then
    say 'an earlier life has finished the first block'
    commit_all || give_up 'cannot commit what the earlier life left'
    return
  fi
  # shellcheck disable=SC2016
  find_block sh || give_up 'the issue has no fenced block that starts with ```sh'
  say 'running the block of the issue'
  run_block || give_up "the sh block of the issue failed (exit $?)"
}

# fix TAG MESSAGE WITHOUT WHAT: WITHOUT is the phase where the issue has no such block.
fix() {
  if ! find_block "sh $1"; then
    phase "$3" "$4, and the issue has no block \`sh $1\`"
  elif run_block "$2"; then
    phase "$ready"
  else
    phase "$3" "$4, and the block \`sh $1\` failed (exit $?)"
  fi
  if [ "$last_phase" = failed ]; then exit 0; fi
}

on_conflict() {
  git fetch --quiet origin || { phase escalate 'cannot fetch from origin'; return; }
  if find_block 'sh on-conflict'; then
    fix on-conflict "$1" escalate 'the branch conflicts with the target'
    return
  fi
  onto=$(target) || { phase escalate 'cannot tell which branch of origin to rebase on'; return; }
  if commit_all && git rebase --quiet "$onto"; then phase "$ready"; return; fi
  git rebase --abort
  phase escalate "the branch conflicts with $onto, and the issue has no block \`sh on-conflict\`"
}

# A person's answer may carry a block of its own; without one it means "go on".
on_answer() {
  if ! tr -d '\r' <"$1" | block sh >"$scratch/block.sh" || run_block "$1"; then
    phase "$ready"
  else
    phase escalate 'the block of the answer failed'
  fi
}

kind_of() { sed -n -e '/^$/q' -e 's/^Kind: *//p' "$1"; }

# What Pawl does not check, and which phases the agent may answer with: it says so in a notice.
on_notice() {
  if grep -q 'Reason: already_done' "$1"; then
    give_up 'already_done: the blocks of the issue changed nothing'
  elif grep -q 'PHASE:escalate' "$1"; then
    phase escalate "$(sed -e '1,/^$/d' "$1" | head -n 1)"
  fi
}

react() {
  case $(kind_of "$1") in
    ci-passed) phase awaiting_review ;;
    ci-failed) fix on-ci-failure "$1" failed 'CI failed' ;;
    tests-failed) fix on-ci-failure "$1" failed 'the tests failed on the target' ;;
    review-changes) fix on-review "$1" escalate 'changes were requested' ;;
    conflict) on_conflict "$1" ;;
    answer) on_answer "$1" ;;
    notice) on_notice "$1" ;;
    refused) fix on-refused "$1" failed 'the answer was refused' ;;
    nudge) phase "$last_phase" "$last_reason" ;;
    landed) say 'landed'; exit 0 ;;
  esac
}

# In the order they were sent: ids count up, m9 before m10. The times of the files cannot tell,
# because the kernel stamps them in steps of some milliseconds.
list_messages() {
  ls -1 "$PAWL_INBOX/new" 2>/dev/null |
    awk '/\.md$/ { print length($0), $0 }' | sort -k1,1n -k2 | cut -d ' ' -f 2-
}

# Moving a message to cur/ is the acknowledgement.
take_messages() {
  for name in $(list_messages); do
    mv -f "$PAWL_INBOX/new/$name" "$PAWL_INBOX/cur/$name" || continue
    say "message ${name%.md}: $(kind_of "$PAWL_INBOX/cur/$name")"
    react "$PAWL_INBOX/cur/$name"
  done
}

main() {
  : "${PAWL_PROMPT_FILE:?}" "${PAWL_PHASE_FILE:?}" "${PAWL_INBOX:?}"
  # In the folder of its session: what a killed agent leaves goes with that folder.
  scratch=$(mktemp -d "$(dirname "$PAWL_PHASE_FILE")/scratch.XXXXXX") || exit 1
  trap 'rm -rf "$scratch"' EXIT
  trap 'exit 143' HUP INT TERM
  mkdir -p "$PAWL_INBOX/cur"
  # The answer to a task is complete when its block has run.
  ready=awaiting_ci
  if [ -z "${PAWL_ISSUE-}" ]; then ready=done; fi
  first_work
  phase "$ready"
  while :; do
    take_messages
    sleep 0.2
  done
}

# Read whole before the first command runs: an upgrade may replace this file meanwhile.
main "$@"
exit
