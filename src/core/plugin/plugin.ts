// Plugins: a user's scripts or prompts that the deacon runs behind a gate. This file owns what is
// known of them and of their runs; step-plugins.ts changes it.
//
//   idle ──gate open──> running ──> idle (the result is recorded at the end, never at the start)
//     └── wanted by a person or an event ──^
import type { ProjectName } from "../ids.ts";

export type PluginGate =
  /** So long after the last run has ended. */
  | { kind: "cooldown"; durationMs: number }
  | { kind: "cron"; pattern: string; timeZone: string }
  /** A command of the project; exit 0 opens it. */
  | { kind: "condition"; check: string[] }
  /** A signal of this kind, or a TRIGGER letter of this name. */
  | { kind: "event"; on: string }
  | { kind: "manual" };

/** A program needs no model; a prompt is a task for an agent. */
export type PluginWork = { kind: "script"; argv: string[] } | { kind: "prompt"; text: string };

export type Plugin = {
  name: string;
  from: "project" | "user";
  description: string;
  gate: PluginGate;
  /** May run beside others; those that may not go one after the other, in directory order. */
  parallel: boolean;
  timeoutMs: number;
  work: PluginWork;
};

export type PluginRun = {
  plugin: string;
  number: number;
  /** What opened it. */
  why: string;
  startedAt: number;
  endedAt: number | undefined;
  ok: boolean | undefined;
  /** The end of what it printed or answered, or why it failed. */
  note: string;
};

export type PluginEntry = {
  name: string;
  /** Undefined where it cannot be used, for the reason in `problem`. */
  plugin: Plugin | undefined;
  problem: string | undefined;
  from: "project" | "user";
  /** When its gate was last looked through: instants and events before it are over. */
  since: number;
  count: number;
  running: { number: number; key: string } | undefined;
  /** It is to run as soon as it may, and why. */
  wanted: string | undefined;
  lastEndAt: number | undefined;
  /** Its last run failed, and you were notified. */
  failing?: boolean;
};

export type Plugins = {
  kind: "plugin";
  project: ProjectName;
  entries: PluginEntry[];
  log: PluginRun[];
  /** The last numbers of those that are gone: one that comes back counts on from there. */
  counts?: Record<string, number>;
};

export const LOG_MAX = 100;
export const NOTE_MAX = 2000;
/** So many that may run side by side do. */
export const PARALLEL_MAX = 4;

export const newPlugins = (project: ProjectName): Plugins => ({
  kind: "plugin",
  project,
  entries: [],
  log: [],
});
