// Examples of commands whose own file has none: shown below their help, and typed by a test.

export const MORE_EXAMPLES: Readonly<Record<string, string>> = {
  down: "pawl down --kill-agents",
  daemon: "pawl daemon",
  "page open": "pawl page open",
  "pr show": "pawl pr show 9",
  "merge-queue priority": "pawl merge-queue priority 12 2",
  "formula stop": "pawl formula stop release.1",
  "mail reply": 'pawl mail reply 3 --body "Use the second form."',
  "checkpoint show": "pawl checkpoint show 7 12",
  "vault log": "pawl vault log",
  "tmux-wrapper name": "pawl tmux-wrapper name review 5 5.3 --cycle 2",
  "tmux-wrapper list": "pawl tmux-wrapper list --project-only",
  "tmux-wrapper exists": "pawl tmux-wrapper exists sa-app-260301-120000-e5-s5-3-dev",
  "tmux-wrapper kill-all": "pawl tmux-wrapper kill-all --project-only",
  "tmux-status-check": "pawl tmux-status-check sa-app-260301-120000-e5-s5-3-dev --full",
  "heartbeat-check": "pawl heartbeat-check sa-app-260301-120000-e5-s5-3-dev",
  "orchestrator-helper sprint-status get": "pawl orchestrator-helper sprint-status get 5.3",
  "orchestrator-helper sprint-status exists": "pawl orchestrator-helper sprint-status exists 5.3",
  "orchestrator-helper sprint-status check-epic":
    "pawl orchestrator-helper sprint-status check-epic 5",
  "orchestrator-helper marker create":
    "pawl orchestrator-helper marker create --epic 5 --story 5.3 --remaining 2",
  "orchestrator-helper marker check": "pawl orchestrator-helper marker check",
  "orchestrator-helper marker heartbeat": "pawl orchestrator-helper marker heartbeat",
  "orchestrator-helper marker remove": "pawl orchestrator-helper marker remove",
  "orchestrator-helper verify-code-review": "pawl orchestrator-helper verify-code-review 5.3",
  "orchestrator-helper state-list": "pawl orchestrator-helper state-list docs/state",
  "orchestrator-helper state-latest": "pawl orchestrator-helper state-latest docs/state",
  "orchestrator-helper state-latest-incomplete":
    "pawl orchestrator-helper state-latest-incomplete docs/state",
  "orchestrator-helper state-summary": "pawl orchestrator-helper state-summary state-5.md",
  "orchestrator-helper state-update":
    "pawl orchestrator-helper state-update state-5.md --set status=READY",
  "orchestrator-helper normalize-key": "pawl orchestrator-helper normalize-key 5.3",
  "orchestrator-helper story-file-status": "pawl orchestrator-helper story-file-status 5.3",
  "orchestrator-helper commit-ready": "pawl orchestrator-helper commit-ready 5.3",
  "orchestrator-helper get-epic-stories": "pawl orchestrator-helper get-epic-stories 5",
  "orchestrator-helper check-epic-complete": "pawl orchestrator-helper check-epic-complete 5 5.3",
};
