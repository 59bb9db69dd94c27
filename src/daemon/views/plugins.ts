// Plugins for people: what each waits for, and how its runs ended.
import type { PluginRunView, PluginView } from "../../api/plugins.ts";
import type { PluginEntry, PluginGate, Plugins } from "../../core/plugin/plugin.ts";
import { formatDuration } from "../../lib/duration.ts";
import { iso } from "./agents.ts";

type Named = { plugin: string; number: number };
/** Whether a run in progress has begun; otherwise it begins when a daemon runs. */
export type Begun = (run: Named) => boolean;

export const pluginViews = (plugins: Plugins, begun: Begun): PluginView[] =>
  plugins.entries.map((entry) => view(plugins, entry, begun));

function view({ project, log }: Plugins, entry: PluginEntry, begun: Begun): PluginView {
  const { name, plugin, problem, from, running, count, lastEndAt } = entry;
  const inProgress = (run: Named) => ({
    why: log.findLast((one) => isSame(one, run))?.why ?? null,
    begun: begun(run),
  });
  return {
    plugin: name,
    project,
    from,
    description: plugin?.description ?? "",
    gate: plugin === undefined ? "" : gateText(plugin.gate),
    kind: plugin?.work.kind ?? null,
    parallel: plugin?.parallel ?? false,
    running: running !== undefined,
    ...(running === undefined ? {} : inProgress({ plugin: name, number: running.number })),
    runs: count,
    last_end: lastEndAt === undefined ? null : iso(lastEndAt),
    problem: problem ?? null,
  };
}

const isSame = (one: Named, other: Named): boolean =>
  one.plugin === other.plugin && one.number === other.number;

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
export const pluginRuns = ({ project, log }: Plugins, begun: Begun): PluginRunView[] =>
  log.map(({ plugin, number, why, startedAt, endedAt, ok, note }) => ({
    plugin,
    project,
    number,
    why,
    started_at: iso(startedAt),
    ended_at: endedAt === undefined ? null : iso(endedAt),
    result: ok === undefined ? "running" : ok ? "succeeded" : "failed",
    ...(ok === undefined && { begun: begun({ plugin, number }) }),
    note,
  }));
