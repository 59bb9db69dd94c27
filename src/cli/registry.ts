// All commands by name, with the line that help shows. Only the one that was asked for is loaded,
// because start-up time is felt at every call.
import type { AddCommand } from "./command.ts";
import { LOOK_COMMANDS } from "./look-commands.ts";
import { STORY_COMMANDS } from "./story-commands.ts";
import { UPKEEP_COMMANDS } from "./upkeep-commands.ts";

/** In the order that help shows them. */
export const GROUPS = [
  "start",
  "work",
  "look",
  "answer",
  "land",
  "automate",
  "repair",
  "advanced",
] as const;

export type Registered = {
  name: string;
  group: (typeof GROUPS)[number];
  /** Shown by `pawl help`, only by `pawl help --all`, or never: only agents type it, or it is another program's. */
  shown: "first" | "all" | "never";
  summary: string;
  load: () => Promise<AddCommand>;
};

export const COMMANDS: Registered[] = [
  {
    name: "demo",
    group: "start",
    shown: "first",
    summary: "watch eight issues land on a green main, in a scratch repository",
    load: async () => (await import("./commands/demo.ts")).addDemo,
  },
  {
    name: "link",
    group: "start",
    shown: "first",
    summary: "put this checkout on the PATH as `pawl`",
    load: async () => (await import("./commands/link.ts")).addLink,
  },
  {
    name: "init",
    group: "start",
    shown: "first",
    summary: "set up this repository: write pawl.toml and register it",
    load: async () => (await import("./commands/init.ts")).addInit,
  },
  {
    name: "run",
    group: "start",
    shown: "first",
    summary: "work on this project's backlog in the foreground",
    load: async () => (await import("./commands/run.ts")).addRun,
  },
  {
    name: "up",
    group: "start",
    shown: "first",
    summary: "start the daemon in the background",
    load: async () => (await import("./commands/up.ts")).addUp,
  },
  {
    name: "down",
    group: "start",
    shown: "first",
    summary: "stop the daemon; agents keep running",
    load: async () => (await import("./commands/down.ts")).addDown,
  },
  {
    name: "issue",
    group: "work",
    shown: "first",
    summary: "add, list, show, edit, comment, close, import issues",
    load: async () => (await import("./commands/issue.ts")).addIssue,
  },
  {
    name: "agent",
    group: "start",
    shown: "all",
    summary: "list the agent programs that Pawl knows, and check one of them",
    load: async () => (await import("./commands/agent.ts")).addAgent,
  },
  {
    name: "pr",
    group: "land",
    shown: "all",
    summary: "list, show and review PRs",
    load: async () => (await import("./commands/pr.ts")).addPr,
  },
  {
    name: "ci",
    group: "land",
    shown: "all",
    summary: "show CI checks: list, status, logs, failures",
    load: async () => (await import("./commands/ci.ts")).addCi,
  },
  {
    name: "merge-queue",
    group: "land",
    shown: "first",
    summary: "manage the merge queue, the only way onto the target",
    load: async () => (await import("./commands/merge-queue.ts")).addMergeQueue,
  },
  {
    name: "escalation",
    group: "answer",
    shown: "first",
    summary: "list, show and answer questions that need a person",
    load: async () => (await import("./commands/escalation.ts")).addEscalation,
  },
  {
    name: "mail",
    group: "answer",
    shown: "all",
    summary: "read and send letters between agents, roles and you",
    load: async () => (await import("./commands/mail.ts")).addMail,
  },
  {
    name: "nudge",
    group: "work",
    shown: "all",
    summary: "tell an agent to start or continue",
    load: async () => (await import("./commands/nudge.ts")).addNudge,
  },
  {
    name: "attach",
    group: "work",
    shown: "first",
    summary: "attach to an agent's terminal",
    load: async () => (await import("./commands/attach.ts")).addAttach,
  },
  {
    name: "stop",
    group: "work",
    shown: "first",
    summary: "stop an agent; `pawl retry` starts it again",
    load: async () => (await import("./commands/run-control.ts")).addStop,
  },
  {
    name: "retry",
    group: "work",
    shown: "first",
    summary: "resume a run, or try a blocked issue again",
    load: async () => (await import("./commands/run-control.ts")).addRetry,
  },
  {
    name: "hold",
    group: "work",
    shown: "all",
    summary: "stop Pawl from acting on a session while you work in it",
    load: async () => (await import("./commands/run-control.ts")).addHold,
  },
  {
    name: "release",
    group: "work",
    shown: "all",
    summary: "let Pawl manage a held session again",
    load: async () => (await import("./commands/run-control.ts")).addRelease,
  },
  {
    name: "vault",
    group: "answer",
    shown: "all",
    summary: "request dangerous actions and decide on them",
    load: async () => (await import("./commands/vault.ts")).addVault,
  },
  {
    name: "project",
    group: "start",
    shown: "all",
    summary: "list and remove the projects of this factory",
    load: async () => (await import("./commands/project.ts")).addProject,
  },
  {
    name: "config",
    group: "start",
    shown: "all",
    summary: "check, show and explain pawl.toml",
    load: async () => (await import("./commands/config.ts")).addConfig,
  },
  ...LOOK_COMMANDS,
  ...UPKEEP_COMMANDS,
  // Scripts of before the programs were two call them here.
  ...STORY_COMMANDS.map((command) => ({ ...command, shown: "never" as const })),
];
