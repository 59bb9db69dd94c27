// Facts about plugins: what there is at the target's tip and in the user's folder, whose gates are
// open by what only the outside knows, and how runs ended.
import type { ProjectName } from "../ids.ts";
import type { Plugin } from "./plugin.ts";

export type FoundPlugin = {
  name: string;
  from: "project" | "user";
  /** Either it can be used, or there is a problem. */
  plugin: Plugin | undefined;
  problem: string | undefined;
  /** What opened its gate (cron, condition, event); cooldown is counted by the core. */
  open: string | undefined;
};

export type PluginEvent =
  | { kind: "plugins-observed"; at: number; project: ProjectName; found: FoundPlugin[] }
  /** A person or a letter wants one (by name), or those that wait for an event. */
  | { kind: "plugin-requested"; at: number; project: ProjectName; name: string; by: string }
  | { kind: "plugin-event"; at: number; project: ProjectName; on: string; by: string }
  | {
      kind: "plugin-finished";
      at: number;
      name: string;
      key: string;
      ok: boolean;
      note: string;
    };
