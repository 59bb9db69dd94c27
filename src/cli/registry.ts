// All commands by name, with the line that help shows. Only the one that was asked for is loaded,
// because start-up time is felt at every call.
import type { AddCommand } from "./command.ts";

export type Registered = { name: string; summary: string; load: () => Promise<AddCommand> };

export const COMMANDS: Registered[] = [
  {
    name: "demo",
    summary: "watch eight issues land on a green main, in a scratch repository",
    load: async () => (await import("./commands/demo.ts")).addDemo,
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
    summary: "end the daemon; agents live on",
    load: async () => (await import("./commands/down.ts")).addDown,
  },
  {
    name: "daemon",
    summary: "the daemon itself, in the foreground (for systemd)",
    load: async () => (await import("./commands/daemon.ts")).addDaemon,
  },
  {
    name: "status",
    summary: "what is it doing, what needs me",
    load: async () => (await import("./commands/status.ts")).addStatus,
  },
  {
    name: "agents",
    summary: "all identities and whether they live",
    load: async () => (await import("./commands/agents.ts")).addAgents,
  },
  {
    name: "costs",
    summary: "what agents have used, in tokens and money",
    load: async () => (await import("./commands/costs.ts")).addCosts,
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
    summary: "the only way onto the target",
    load: async () => (await import("./commands/merge-queue.ts")).addMergeQueue,
  },
  {
    name: "formula",
    summary: "tasks of several steps: list, show, validate, run, status",
    load: async () => (await import("./commands/formula.ts")).addFormula,
  },
  {
    name: "role",
    summary: "gardener, supervisor, planner, predictor: what they did and why",
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
    summary: "rounds that find what nobody else reports",
    load: async () => (await import("./commands/patrol.ts")).addPatrol,
  },
  {
    name: "schedule",
    summary: "what the project does by itself, and when",
    load: async () => (await import("./commands/schedule.ts")).addSchedule,
  },
  {
    name: "plugin",
    summary: "your own scripts and prompts, behind gates",
    load: async () => (await import("./commands/plugin.ts")).addPlugin,
  },
  {
    name: "nudge",
    summary: "tell an agent to begin or go on",
    load: async () => (await import("./commands/nudge.ts")).addNudge,
  },
  {
    name: "attach",
    summary: "sit down at an agent's terminal",
    load: async () => (await import("./commands/attach.ts")).addAttach,
  },
  {
    name: "logs",
    summary: "what an agent's terminal showed",
    load: async () => (await import("./commands/logs.ts")).addLogs,
  },
  {
    name: "diff",
    summary: "what an agent has changed so far",
    load: async () => (await import("./commands/diff.ts")).addDiff,
  },
  {
    name: "checkpoint",
    summary: "what was saved of an agent's work: list, show, diff, restore",
    load: async () => (await import("./commands/checkpoint.ts")).addCheckpoint,
  },
  {
    name: "recover",
    summary: "take up the work of a lost machine",
    load: async () => (await import("./commands/recover.ts")).addRecover,
  },
  {
    name: "stop",
    summary: "end an agent; it is not started again until retried",
    load: async () => (await import("./commands/wishes.ts")).addStop,
  },
  {
    name: "retry",
    summary: "let a stopped or escalated run go on",
    load: async () => (await import("./commands/wishes.ts")).addRetry,
  },
  {
    name: "hold",
    summary: "leave a session alone while a person works in it",
    load: async () => (await import("./commands/wishes.ts")).addHold,
  },
  {
    name: "release",
    summary: "give a held session back to Pawl",
    load: async () => (await import("./commands/wishes.ts")).addRelease,
  },
  {
    name: "why",
    summary: "why does nothing happen with this issue",
    load: async () => (await import("./commands/why.ts")).addWhy,
  },
  {
    name: "signals",
    summary: "typed events between Pawl's parts",
    load: async () => (await import("./commands/signals.ts")).addSignals,
  },
  {
    name: "phase",
    summary: "for agents: say how far the work is",
    load: async () => (await import("./commands/phase.ts")).addPhase,
  },
  {
    name: "hook",
    summary: "what an agent is working on: show, set",
    load: async () => (await import("./commands/hook.ts")).addHook,
  },
  {
    name: "context",
    summary: "how full agents' contexts are",
    load: async () => (await import("./commands/context.ts")).addContext,
  },
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
  {
    name: "vault",
    summary: "dangerous actions wait here for a decision",
    load: async () => (await import("./commands/vault.ts")).addVault,
  },
  {
    name: "doctor",
    summary: "find what is broken, and mend it",
    load: async () => (await import("./commands/doctor.ts")).addDoctor,
  },
  {
    name: "notify",
    summary: "ways that news reaches you: list, test",
    load: async () => (await import("./commands/notify.ts")).addNotify,
  },
  {
    name: "completion",
    summary: "shell completion for bash, zsh or fish",
    load: async () => (await import("./commands/completion.ts")).addCompletion,
  },
];
