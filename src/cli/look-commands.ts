// The commands that show what is there.
import type { Registered } from "./registry.ts";

export const LOOK_COMMANDS: Registered[] = [
  {
    name: "status",
    group: "look",
    shown: "first",
    summary: "show what is running and what needs you",
    load: async () => (await import("./commands/status.ts")).addStatus,
  },
  {
    name: "page",
    group: "look",
    shown: "first",
    summary: "open the page in a browser: what needs you, what works, what is done",
    load: async () => (await import("./commands/page.ts")).addPage,
  },
  {
    name: "agents",
    group: "look",
    shown: "first",
    summary: "list agents and whether they are running",
    load: async () => (await import("./commands/agents.ts")).addAgents,
  },
  {
    name: "costs",
    group: "look",
    shown: "first",
    summary: "show the tokens and money that agents used",
    load: async () => (await import("./commands/costs.ts")).addCosts,
  },
  {
    name: "history",
    group: "look",
    shown: "all",
    summary: "runs that are over, the last end first",
    load: async () => (await import("./commands/history.ts")).addHistory,
  },
  {
    name: "role",
    group: "look",
    shown: "all",
    summary: "show what the gardener, supervisor, planner and predictor did, and why",
    load: async () => (await import("./commands/role.ts")).addRole,
  },
  {
    name: "logs",
    group: "look",
    shown: "first",
    summary: "show the output of an agent's terminal",
    load: async () => (await import("./commands/logs.ts")).addLogs,
  },
  {
    name: "diff",
    group: "look",
    shown: "first",
    summary: "show what an agent has changed so far",
    load: async () => (await import("./commands/diff.ts")).addDiff,
  },
  {
    name: "why",
    group: "look",
    shown: "first",
    summary: "explain why an issue does not move",
    load: async () => (await import("./commands/why.ts")).addWhy,
  },
  {
    name: "signals",
    group: "look",
    shown: "all",
    summary: "typed events between Pawl's parts",
    load: async () => (await import("./commands/signals.ts")).addSignals,
  },
  {
    name: "hook",
    group: "look",
    shown: "all",
    summary: "show what an agent is working on",
    load: async () => (await import("./commands/hook.ts")).addHook,
  },
  {
    name: "context",
    group: "look",
    shown: "all",
    summary: "show how full agents' contexts are",
    load: async () => (await import("./commands/context.ts")).addContext,
  },
];
