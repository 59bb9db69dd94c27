// Plugins for people: what each waits for, and how its runs ended.
import type { PluginRunView, PluginView } from "../../api/plugins.ts";
import type { PluginEntry, PluginGate, Plugins } from "../../core/plugin/plugin.ts";
import { formatDuration } from "../../lib/duration.ts";
import { iso } from "./agents.ts";

export const pluginViews = ({ project, entries }: Plugins): PluginView[] =>
  entries.map((entry) => view(project, entry));

function view(project: string, entry: PluginEntry): PluginView {
  const { name, plugin, problem, from, running, count, lastEndAt } = entry;
  return {
    plugin: name,
    project,
    from,
    description: plugin?.description ?? "",
    gate: plugin === undefined ? "" : gateText(plugin.gate),
    kind: plugin?.work.kind ?? null,
    parallel: plugin?.parallel ?? false,
    running: running !== undefined,
    runs: count,
    last_end: lastEndAt === undefined ? null : iso(lastEndAt),
    problem: problem ?? null,
  };
}

function gateText(gate: PluginGate): string {
  switch (gate.kind) {
    case "cooldown":
      return `cooldown ${formatDuration(gate.durationMs)}`;
    case "cron":
      return `cron ${gate.pattern} ${gate.timeZone}`;
    case "condition":
      return `condition ${gate.check.join(" ")}`;
    case "event":
      return `event ${gate.on}`;
    case "manual":
      return "manual";
  }
}

/** Newest last. */
export const pluginRuns = ({ project, log }: Plugins): PluginRunView[] =>
  log.map(({ plugin, number, why, startedAt, endedAt, ok, note }) => ({
    plugin,
    project,
    number,
    why,
    started_at: iso(startedAt),
    ended_at: endedAt === undefined ? null : iso(endedAt),
    result: ok === undefined ? "running" : ok ? "succeeded" : "failed",
    note,
  }));
