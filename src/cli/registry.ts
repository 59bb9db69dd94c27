// All commands by name, with the line that help shows. Only the one that was asked for is loaded,
// because start-up time is felt at every call.
import type { AddCommand } from "./command.ts";

export type Registered = {
  name: string;
  summary: string;
  load: () => Promise<AddCommand>;
  /** It works, and help does not list it: it belongs to another program. */
  hidden?: true;
};

/** Those of `story-automator`, for scripts that drive sessions themselves. */
export const STORY_COMMANDS: Registered[] = [
  {
    name: "tmux-wrapper",
    summary: "spawn, list and kill monitored sessions",
    load: async () => (await import("./commands/tmux-wrapper.ts")).addTmuxWrapper,
  },
  {
    name: "monitor-session",
    summary: "wait for a session's verdict",
    load: async () => (await import("./commands/monitor-session.ts")).addMonitorSession,
  },
  {
    name: "tmux-status-check",
    summary: "one look at a session, as CSV",
    load: async () => (await import("./commands/session-checks.ts")).addTmuxStatusCheck,
  },
  {
    name: "heartbeat-check",
    summary: "what a session's processes use right now, as CSV",
    load: async () => (await import("./commands/session-checks.ts")).addHeartbeatCheck,
  },
  {
    name: "orchestrator-helper",
    summary: "verify a step, read its output, decide what comes next",
    load: async () => (await import("./commands/orchestrator-helper.ts")).addOrchestratorHelper,
  },
];

export const COMMANDS: Registered[] = [
  {
    name: "demo",
    summary: "watch eight issues land on a green main, in a scratch repository",
    load: async () => (await import("./commands/demo.ts")).addDemo,
  },
  {
    name: "link",
    summary: "put this checkout on the PATH as `pawl`",
    load: async () => (await import("./commands/link.ts")).addLink,
  },
  {
    name: "init",
    summary: "set up this repository: write pawl.toml and register it",
    load: async () => (await import("./commands/init.ts")).addInit,
  },
  {
    name: "run",
    summary: "work on this project's backlog in the foreground",
    load: async () => (await import("./commands/run.ts")).addRun,
  },
  {
    name: "up",
    summary: "start the daemon in the background",
    load: async () => (await import("./commands/up.ts")).addUp,
  },
  {
    name: "down",
    summary: "stop the daemon; agents keep running",
    load: async () => (await import("./commands/down.ts")).addDown,
  },
  {
    name: "daemon",
    summary: "run the daemon in the foreground (for systemd)",
    load: async () => (await import("./commands/daemon.ts")).addDaemon,
  },
  {
    name: "status",
    summary: "show what is running and what needs you",
    load: async () => (await import("./commands/status.ts")).addStatus,
  },
  {
    name: "page",
    summary: "open the page in a browser: what needs you, what works, what is done",
    load: async () => (await import("./commands/page.ts")).addPage,
  },
  {
    name: "agents",
    summary: "list agents and whether they are running",
    load: async () => (await import("./commands/agents.ts")).addAgents,
  },
  {
    name: "costs",
    summary: "show the tokens and money that agents used",
    load: async () => (await import("./commands/costs.ts")).addCosts,
  },
  {
    name: "history",
    summary: "runs that are over, the last end first",
    load: async () => (await import("./commands/history.ts")).addHistory,
  },
  {
    name: "issue",
    summary: "add, list, show, edit, comment, close, import issues",
    load: async () => (await import("./commands/issue.ts")).addIssue,
  },
  {
    name: "pr",
    summary: "list, show and review PRs",
    load: async () => (await import("./commands/pr.ts")).addPr,
  },
  {
    name: "ci",
    summary: "checks: list, status, logs, failures",
    load: async () => (await import("./commands/ci.ts")).addCi,
  },
  {
    name: "merge-queue",
    summary: "manage the merge queue, the only way onto the target",
    load: async () => (await import("./commands/merge-queue.ts")).addMergeQueue,
  },
  {
    name: "formula",
    summary: "tasks of several steps: list, show, validate, run, status",
    load: async () => (await import("./commands/formula.ts")).addFormula,
  },
  {
    name: "role",
    summary: "show what the gardener, supervisor, planner and predictor did, and why",
    load: async () => (await import("./commands/role.ts")).addRole,
  },
  {
    name: "gate",
    summary: "conditions that something waits for: list, create, close, check",
    load: async () => (await import("./commands/gate.ts")).addGate,
  },
  {
    name: "escalation",
    summary: "questions that only a person can answer",
    load: async () => (await import("./commands/escalation.ts")).addEscalation,
  },
  {
    name: "mail",
    summary: "letters between agents, roles and you",
    load: async () => (await import("./commands/mail.ts")).addMail,
  },
  {
    name: "patrol",
    summary: "periodic health checks (deacon and witness)",
    load: async () => (await import("./commands/patrol.ts")).addPatrol,
  },
  {
    name: "schedule",
    summary: "list and start schedules",
    load: async () => (await import("./commands/schedule.ts")).addSchedule,
  },
  {
    name: "plugin",
    summary: "list and run your own scripts and prompts",
    load: async () => (await import("./commands/plugin.ts")).addPlugin,
  },
  {
    name: "nudge",
    summary: "tell an agent to start or continue",
    load: async () => (await import("./commands/nudge.ts")).addNudge,
  },
  {
    name: "attach",
    summary: "attach to an agent's terminal",
    load: async () => (await import("./commands/attach.ts")).addAttach,
  },
  {
    name: "logs",
    summary: "show the output of an agent's terminal",
    load: async () => (await import("./commands/logs.ts")).addLogs,
  },
  {
    name: "diff",
    summary: "show what an agent has changed so far",
    load: async () => (await import("./commands/diff.ts")).addDiff,
  },
  {
    name: "checkpoint",
    summary: "list, inspect and restore checkpoints of an agent's work",
    load: async () => (await import("./commands/checkpoint.ts")).addCheckpoint,
  },
  {
    name: "recover",
    summary: "resume the work of a lost machine",
    load: async () => (await import("./commands/recover.ts")).addRecover,
  },
  {
    name: "stop",
    summary: "stop an agent; `pawl retry` starts it again",
    load: async () => (await import("./commands/run-control.ts")).addStop,
  },
  {
    name: "retry",
    summary: "resume a stopped or escalated run",
    load: async () => (await import("./commands/run-control.ts")).addRetry,
  },
  {
    name: "hold",
    summary: "keep Pawl away from a session while a person works in it",
    load: async () => (await import("./commands/run-control.ts")).addHold,
  },
  {
    name: "release",
    summary: "let Pawl manage a held session again",
    load: async () => (await import("./commands/run-control.ts")).addRelease,
  },
  {
    name: "why",
    summary: "explain why an issue does not move",
    load: async () => (await import("./commands/why.ts")).addWhy,
  },
  {
    name: "signals",
    summary: "typed events between Pawl's parts",
    load: async () => (await import("./commands/signals.ts")).addSignals,
  },
  {
    name: "phase",
    summary: "for agents: report the phase of the work",
    load: async () => (await import("./commands/phase.ts")).addPhase,
  },
  {
    name: "hook",
    summary: "show or set what an agent is working on",
    load: async () => (await import("./commands/hook.ts")).addHook,
  },
  {
    name: "context",
    summary: "show how full agents' contexts are",
    load: async () => (await import("./commands/context.ts")).addContext,
  },
  {
    name: "vault",
    summary: "request dangerous actions and decide on them",
    load: async () => (await import("./commands/vault.ts")).addVault,
  },
  {
    name: "doctor",
    summary: "find problems and fix them",
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  {
    name: "notify",
    summary: "list and test notification channels",
    load: async () => (await import("./commands/notify.ts")).addNotify,
  },
  {
    name: "completion",
    summary: "shell completion for bash, zsh or fish",
    load: async () => (await import("./commands/completion.ts")).addCompletion,
  },
  // Scripts of before the programs were two call them here.
  ...STORY_COMMANDS.map((command) => ({ ...command, hidden: true }) as const),
];
