// The commands of `story-automator`, for scripts that drive sessions themselves.
import type { Registered } from "./registry.ts";

export const STORY_COMMANDS: Registered[] = [
  {
    name: "tmux-wrapper",
    group: "advanced",
    shown: "first",
    summary: "spawn, list and kill monitored sessions",
    load: async () => (await import("./commands/tmux-wrapper.ts")).addTmuxWrapper,
  },
  {
    name: "monitor-session",
    group: "advanced",
    shown: "first",
    summary: "wait for a session's verdict",
    load: async () => (await import("./commands/monitor-session.ts")).addMonitorSession,
  },
  {
    name: "tmux-status-check",
    group: "advanced",
    shown: "first",
    summary: "one look at a session, as CSV",
    load: async () => (await import("./commands/session-checks.ts")).addTmuxStatusCheck,
  },
  {
    name: "heartbeat-check",
    group: "advanced",
    shown: "first",
    summary: "what a session's processes use right now, as CSV",
    load: async () => (await import("./commands/session-checks.ts")).addHeartbeatCheck,
  },
  {
    name: "orchestrator-helper",
    group: "advanced",
    shown: "first",
    summary: "verify a step, read its output, decide what comes next",
    load: async () => (await import("./commands/orchestrator-helper.ts")).addOrchestratorHelper,
  },
];
