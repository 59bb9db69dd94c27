// The plugins' step: whose gate is open starts, side by side where it may, else one after the other
// in directory order. A result is recorded when the run has ended. A broken plugin is reported once
// and does not keep others from running.
import type { Context } from "../context.ts";
import type { Output } from "../effect.ts";
import type { Event } from "../event.ts";
import {
  mailAggregate,
  pluginAggregate,
  projectAggregate,
  runAggregate,
  type ProjectName,
} from "../ids.ts";
import { OPERATOR } from "../mail/address.ts";
import type { NewLetter } from "../mail/letter.ts";
import {
  LOG_MAX,
  newPlugins,
  NOTE_MAX,
  PARALLEL_MAX,
  type Plugin,
  type PluginEntry,
  type Plugins,
} from "./plugin.ts";
import type { FoundPlugin, PluginEvent } from "./plugin-event.ts";
import * as say from "../words/plugin.ts";

type EventOf<K extends PluginEvent["kind"]> = Extract<PluginEvent, { kind: K }>;

export function stepPlugins(
  plugins: Plugins | undefined,
  event: Event,
  output: Output,
): Plugins | undefined {
  const context = { at: event.at, output };
  if (event.kind === "plugin-event" && !isAwaited(plugins, event.on)) unheard(event, context);
  if (plugins === undefined && event.kind !== "plugins-observed") return undefined;
  const before = plugins ?? newPlugins((event as EventOf<"plugins-observed">).project);
  const next = start(taken(before, event, context), context);
  // Where there are no plugins there is nothing to keep.
  return next === before ? plugins : next;
}

function taken(plugins: Plugins, event: Event, context: Context): Plugins {
  switch (event.kind) {
    case "plugins-observed":
      return observed(plugins, event.found, context);
    case "plugin-requested":
      return want(plugins, (entry) => isIdle(entry, event.name), `asked for by ${event.by}`);
    case "plugin-event":
      // One that is running may have begun before what the letter tells: it runs once more.
      return want(plugins, (entry) => waitsFor(entry, event.on), `${event.on} by ${event.by}`);
    case "plugin-finished":
      return finished(plugins, event, context);
    case "task-finished":
      return answered(plugins, event, context);
    case "effect-failed":
      return failed(plugins, event.failed, context);
    default:
      return plugins;
  }
}

function observed(plugins: Plugins, found: FoundPlugin[], context: Context): Plugins {
  const { entries } = plugins;
  const next = found.map((one) => {
    const before = entries.find(({ name }) => name === one.name);
    return looked(before ?? newEntry(plugins, one, context), one, { before, plugins, context });
  });
  const gone = entries.filter(({ name }) => !found.some((one) => one.name === name));
  // What is gone while it runs is kept until it has ended, and is not started again.
  const leaving = gone
    .filter(({ running }) => running !== undefined)
    .map((entry) => (entry.wanted === undefined ? entry : { ...entry, wanted: undefined }));
  const all = [...next, ...leaving];
  const same = all.length === entries.length && all.every((entry, at) => entry === entries[at]);
  if (same) return plugins;
  const counts = Object.fromEntries(gone.map(({ name, count }) => [name, count]));
  const kept = gone.length === 0 ? {} : { counts: { ...plugins.counts, ...counts } };
  return { ...plugins, ...kept, entries: all };
}

/** The log is asked too: an older version kept no numbers of those that were gone. */
function countOf({ counts = {}, log }: Plugins, name: string): number {
  const logged = log.filter(({ plugin }) => plugin === name).map(({ number }) => number);
  return Math.max(counts[name] ?? 0, ...logged);
}

const newEntry = (plugins: Plugins, { name, from }: FoundPlugin, { at }: Context): PluginEntry => ({
  name,
  plugin: undefined,
  problem: undefined,
  from,
  since: at,
  count: countOf(plugins, name),
  running: undefined,
  wanted: undefined,
  lastEndAt: undefined,
});

function looked(
  entry: PluginEntry,
  found: FoundPlugin,
  known: { before: PluginEntry | undefined; plugins: Plugins; context: Context },
): PluginEntry {
  const { before, context } = known;
  if (found.problem !== undefined && before?.problem !== found.problem) {
    report(known.plugins, found, context);
  }
  const isSame =
    before !== undefined &&
    entry.problem === found.problem &&
    JSON.stringify(entry.plugin) === JSON.stringify(found.plugin);
  const current = isSame
    ? entry
    : { ...entry, plugin: found.plugin, problem: found.problem, from: found.from };
  if (isGateChanged(before, found)) {
    // What was seen was measured from long before the change.
    return withWhy({ ...current, since: context.at }, { ...found, open: undefined }, context);
  }
  return withWhy(current, found, context);
}

const isGateChanged = (before: PluginEntry | undefined, { plugin }: FoundPlugin): boolean =>
  before?.plugin !== undefined &&
  plugin !== undefined &&
  JSON.stringify(before.plugin.gate) !== JSON.stringify(plugin.gate);

function withWhy(current: PluginEntry, found: FoundPlugin, context: Context): PluginEntry {
  const why = opened(current, found, context.at);
  if (why === undefined || current.wanted !== undefined) return current;
  return { ...current, wanted: why, since: context.at };
}

/** While it runs, its gate is not asked: what opens meanwhile is seen at the next round. */
function opened(entry: PluginEntry, found: FoundPlugin, at: number): string | undefined {
  const { plugin, lastEndAt, running } = entry;
  if (plugin === undefined || running !== undefined) return undefined;
  if (plugin.gate.kind !== "cooldown") return found.open;
  const { durationMs } = plugin.gate;
  const isCool = lastEndAt === undefined || at - lastEndAt >= durationMs;
  return isCool ? "cooldown" : undefined;
}

function report({ project }: Plugins, found: FoundPlugin, context: Context): void {
  const words = { subject: say.broken(found.name), body: found.problem ?? "" };
  write(project, { ...words, priority: "normal" }, context);
}

/** A trigger that no plugin waits for is not dropped: its sender meant something by it. */
const unheard = ({ project, on, by }: EventOf<"plugin-event">, context: Context): void =>
  write(project, { ...say.unheard(on, by), priority: "low" }, context);

function write(
  project: ProjectName,
  words: Pick<NewLetter, "subject" | "body" | "priority">,
  { at, output }: Context,
): void {
  const letter = { from: "deacon", to: OPERATOR, ...words };
  output.tells.push({
    to: mailAggregate(project),
    event: { kind: "mail-sent", at, project, letter },
  });
}

const isAwaited = (plugins: Plugins | undefined, on: string): boolean =>
  plugins?.entries.some((entry) => waitsFor(entry, on)) === true;

const waitsFor = ({ plugin }: PluginEntry, on: string): boolean =>
  plugin?.gate.kind === "event" && plugin.gate.on === on;

/** One that is under way is enough. */
const isIdle = ({ name, running }: PluginEntry, wanted: string): boolean =>
  name === wanted && running === undefined;

const want = (plugins: Plugins, isMeant: (entry: PluginEntry) => boolean, why: string): Plugins =>
  mapEntries(plugins, (entry) =>
    isMeant(entry) && entry.plugin !== undefined
      ? { ...entry, wanted: entry.wanted ?? why }
      : entry,
  );

/** Everything that may begin now does. */
function start(plugins: Plugins, context: Context): Plugins {
  let next = plugins;
  for (const { name } of plugins.entries) {
    const entry = next.entries.find((one) => one.name === name);
    if (entry?.plugin === undefined || entry.wanted === undefined) continue;
    if (entry.running === undefined && isFree(next, entry.plugin)) {
      next = begin(next, { entry, plugin: entry.plugin }, context);
    }
  }
  return next;
}

function isFree({ entries }: Plugins, { parallel }: Plugin): boolean {
  const running = entries.filter((entry) => entry.running !== undefined);
  if (parallel) return running.length < PARALLEL_MAX;
  return running.every((entry) => entry.plugin?.parallel === true);
}

function begin(
  plugins: Plugins,
  { entry, plugin }: { entry: PluginEntry; plugin: Plugin },
  context: Context,
): Plugins {
  const { at, output } = context;
  const { name } = entry;
  // An older version began again at 1 for a plugin that came back: its old results must not be taken.
  const number = Math.max(entry.count, countOf(plugins, name)) + 1;
  const aggregate = pluginAggregate(plugins.project);
  const key = `${aggregate}:run:${name}:${number}`;
  const { work, timeoutMs } = plugin;
  if (work.kind === "script") {
    const effect = { kind: "run-plugin", name, key, number, argv: work.argv, timeoutMs } as const;
    output.effects.push({ key, lane: `${aggregate}:${name}`, effect });
  } else {
    askAgent(plugins, { plugin, key, text: work.text }, context);
  }
  const run = {
    plugin: name,
    number,
    why: entry.wanted ?? "",
    startedAt: at,
    endedAt: undefined,
    ok: undefined,
    note: "",
  };
  const begun = { ...entry, count: number, running: { number, key }, wanted: undefined };
  return {
    ...mapEntries(plugins, (one) => (one.name === name ? begun : one)),
    log: [...plugins.log, run].slice(-LOG_MAX),
  };
}

function askAgent(
  plugins: Plugins,
  { plugin, key, text }: { plugin: Plugin; key: string; text: string },
  { at, output }: Context,
): void {
  const { project } = plugins;
  output.tells.push({
    to: projectAggregate(project),
    event: {
      kind: "task-requested",
      at,
      task: {
        by: pluginAggregate(project),
        key,
        role: "action",
        name: `plugin-${plugin.name}`.replaceAll(/[^a-z0-9-]/g, "-").slice(0, 60),
        title: plugin.description === "" ? `plugin ${plugin.name}` : plugin.description,
        brief: say.task(plugin.name, text),
        output: "either",
        at: { kind: "target" },
        limits: { lifeMs: plugin.timeoutMs },
      },
    },
  });
}

/** Success and failure are what the run ended as, not that it was started. */
function finished(
  plugins: Plugins,
  {
    name,
    key,
    ok,
    note,
    at,
  }: Pick<EventOf<"plugin-finished">, "name" | "key" | "ok" | "note" | "at">,
  { output }: Context,
): Plugins {
  const entry = plugins.entries.find((one) => one.name === name);
  if (entry?.running?.key !== key) return plugins;
  const { number } = entry.running;
  const { failing = false } = entry;
  if (!ok && !failing) {
    const aggregate = pluginAggregate(plugins.project);
    const words = say.failed(name, note.slice(-NOTE_MAX));
    output.effects.push({
      key: `${aggregate}:notify:${name}:${at}`,
      lane: `${aggregate}:notify`,
      effect: { kind: "notify", severity: "warning", ...words },
    });
  }
  const ended = mapEntries(plugins, (one) =>
    one === entry ? { ...one, running: undefined, lastEndAt: at, failing: !ok } : one,
  );
  return {
    ...ended,
    log: ended.log.map((run) =>
      run.plugin === name && run.number === number
        ? { ...run, endedAt: at, ok, note: note.slice(-NOTE_MAX) }
        : run,
    ),
  };
}

/** An agent's answer is accepted as it is, because a person reads it. */
function answered(
  plugins: Plugins,
  { key, run, outcome, at }: Extract<Event, { kind: "task-finished" }>,
  context: Context,
): Plugins {
  const entry = plugins.entries.find((one) => one.running?.key === key);
  if (entry === undefined) return plugins;
  const isOffer = outcome.kind === "result" || outcome.kind === "nothing";
  if (isOffer && run !== undefined) {
    const to = runAggregate(plugins.project, run);
    context.output.tells.push({ to, event: { kind: "task-accepted", at, key } });
  }
  const ok = outcome.kind !== "failed";
  const note =
    outcome.kind === "failed"
      ? outcome.reason
      : outcome.kind === "result"
        ? outcome.text
        : outcome.kind === "landed"
          ? `landed as ${outcome.commit}`
          : "";
  return finished(plugins, { name: entry.name, key, ok, note, at }, context);
}

function failed(
  plugins: Plugins,
  { obligation, message }: Extract<Event, { kind: "effect-failed" }>["failed"],
  context: Context,
): Plugins {
  const { effect } = obligation;
  if (effect.kind !== "run-plugin") return plugins;
  const { name, key } = effect;
  const ended = { name, key, ok: false, note: message, at: context.at };
  return finished(plugins, ended, context);
}

function mapEntries(plugins: Plugins, change: (entry: PluginEntry) => PluginEntry): Plugins {
  const entries = plugins.entries.map(change);
  const same = entries.every((entry, at) => entry === plugins.entries[at]);
  return same ? plugins : { ...plugins, entries };
}
