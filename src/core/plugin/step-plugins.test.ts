import { expect, test } from "vitest";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { commitId, projectName, runId } from "../ids.ts";
import type { FoundPlugin } from "./plugin-event.ts";
import type { Plugin, Plugins } from "./plugin.ts";
import { stepPlugins } from "./step-plugins.ts";

const project = projectName("toy");
const HOUR_MS = 3_600_000;

const found = (name: string, change: Partial<Plugin> = {}, open?: string): FoundPlugin => ({
  name,
  from: "project",
  problem: undefined,
  open,
  plugin: {
    name,
    from: "project",
    description: "",
    gate: { kind: "cooldown", durationMs: HOUR_MS },
    parallel: false,
    timeoutMs: 1000,
    work: { kind: "script", argv: ["sh", "run.sh"] },
    ...change,
  },
});
const seen = (at: number, ...all: FoundPlugin[]): Event => ({
  kind: "plugins-observed",
  at,
  project,
  found: all,
});
const done = (
  at: number,
  name: string,
  number = 1,
): Extract<Event, { kind: "plugin-finished" }> => ({
  kind: "plugin-finished",
  at,
  name,
  key: `plugin:toy:run:${name}:${number}`,
  ok: true,
  note: "swept",
});

function story(...events: Event[]): { state: Plugins | undefined; outputs: Output[] } {
  let state: Plugins | undefined;
  const outputs = events.map((event) => {
    const output = emptyOutput();
    state = stepPlugins(state, event, output);
    return output;
  });
  return { state, outputs };
}
const begun = (output: Output | undefined): string[] =>
  output?.effects.map(({ effect }) => ("name" in effect ? effect.name : "")) ?? [];

test("nothing is kept where there are no plugins, and a round that changes nothing writes nothing", () => {
  expect(story(seen(1)).state).toBeUndefined();
  const once = story(seen(1, found("a")));
  const again = stepPlugins(once.state, seen(2, found("a")), emptyOutput());
  expect(again).toBe(once.state);
});

test("success is recorded at the end; before it the run is only running", () => {
  const { state } = story(seen(1, found("a")));
  expect(state?.log).toMatchObject([{ plugin: "a", ok: undefined, endedAt: undefined }]);
  const after = story(seen(1, found("a")), done(9, "a")).state;
  expect(after?.log).toMatchObject([{ ok: true, endedAt: 9, note: "swept", why: "cooldown" }]);
  expect(after?.entries[0]).toMatchObject({ running: undefined, lastEndAt: 9, count: 1 });
});

test("a cooldown counts from the end of the last run", () => {
  const early = story(seen(1, found("a")), done(9, "a"), seen(HOUR_MS, found("a")));
  expect(begun(early.outputs[2])).toEqual([]);
  const late = story(seen(1, found("a")), done(9, "a"), seen(HOUR_MS + 9, found("a")));
  expect(begun(late.outputs[2])).toEqual(["a"]);
});

test("cron, condition and event open by what was seen; manual never does by itself", () => {
  const cron = { gate: { kind: "cron", pattern: "* * * * *", timeZone: "UTC" } } as const;
  const closed = story(
    seen(1, found("a", cron)),
    seen(2, found("b", { gate: { kind: "manual" } })),
  );
  expect(closed.outputs.flatMap(begun)).toEqual([]);
  const open = story(seen(1, found("a", cron, "cron * * * * *")));
  expect(open.state?.log).toMatchObject([{ why: "cron * * * * *" }]);
});

test("those that may not run side by side go one after the other, in directory order", () => {
  const { outputs } = story(
    seen(1, found("a"), found("b"), found("c", { parallel: true })),
    done(2, "a"),
    done(3, "b"),
  );
  expect(outputs.map(begun)).toEqual([["a", "c"], ["b"], []]);
});

test("no more than four run side by side", () => {
  const many = Array.from({ length: 6 }, (_, at) => found(`p${at}`, { parallel: true }));
  expect(begun(story(seen(1, ...many)).outputs[0])).toHaveLength(4);
});

test("a broken plugin is reported once, and the others run", () => {
  const broken: FoundPlugin = {
    name: "a",
    from: "user",
    plugin: undefined,
    problem: "gate: missing",
    open: undefined,
  };
  const { outputs } = story(seen(1, broken, found("b")), seen(2, broken, found("b")));
  expect(outputs[0]?.tells).toMatchObject([
    { to: "mail:toy", event: { letter: { to: "operator", subject: "plugin a cannot be used" } } },
  ]);
  expect(begun(outputs[0])).toEqual(["b"]);
  expect(outputs[1]?.tells).toEqual([]);
});

test("a person and an event start a plugin even if its gate is closed; one run at a time is enough", () => {
  const manual = found("a", { gate: { kind: "manual" } });
  const event = found("b", { gate: { kind: "event", on: "deployed" }, parallel: true });
  const asked = { kind: "plugin-requested", at: 2, project, name: "a", by: "ada" } as const;
  const fired = { kind: "plugin-event", at: 3, project, on: "deployed", by: "ci" } as const;
  const { outputs, state } = story(seen(1, manual, event), asked, asked, fired);
  expect(outputs.map(begun)).toEqual([[], ["a"], [], ["b"]]);
  expect(state?.log.map(({ why }) => why)).toEqual(["asked for by ada", "deployed by ci"]);
});

test("a trigger for a plugin that is running starts it once more when that run has ended", () => {
  const event = found("b", { gate: { kind: "event", on: "deployed" } });
  const fired = { kind: "plugin-event", at: 3, project, on: "deployed", by: "ci" } as const;
  const { outputs } = story(seen(1, event), fired, fired, done(4, "b"), done(5, "b", 2));
  expect(outputs.map(begun)).toEqual([[], ["b"], [], ["b"], []]);
  // One that was removed meanwhile is not started again.
  const gone = story(seen(1, event), fired, fired, seen(4), done(5, "b"));
  expect(begun(gone.outputs[4])).toEqual([]);
});

test("a plugin that comes back counts on: the number of an old run is not used again", () => {
  const back = story(seen(1, found("a")), done(2, "a"), seen(3), seen(4, found("a")));
  expect(back.outputs[3]?.effects).toMatchObject([{ effect: { name: "a", number: 2 } }]);
  expect(back.state?.entries[0]).toMatchObject({ count: 2 });
  // A journal of an older version forgot the number, but its log has it.
  const { state } = story(seen(1, found("a")), done(2, "a"), seen(3));
  const { counts: _, ...older } = state as Plugins;
  const output = emptyOutput();
  stepPlugins(older, seen(4, found("a")), output);
  expect(output.effects).toMatchObject([{ effect: { name: "a", number: 2 } }]);
});

test("a plugin that an older version began again at 1 does not reach its old numbers", () => {
  const twice = [seen(1, found("a")), done(2, "a"), seen(HOUR_MS + 2, found("a"))];
  const { state } = story(...twice, done(HOUR_MS + 3, "a", 2));
  const entries = state?.entries.map((entry) => ({ ...entry, count: 1 })) ?? [];
  const output = emptyOutput();
  const next = stepPlugins(
    { ...(state as Plugins), entries },
    seen(3 * HOUR_MS, found("a")),
    output,
  );
  expect(output.effects).toMatchObject([{ effect: { name: "a", number: 3 } }]);
  expect(next?.entries[0]).toMatchObject({ count: 3, running: { number: 3 } });
});

test("a failure notifies you, the next ones in a row do not", () => {
  const manual = found("a", { gate: { kind: "manual" } });
  const ask = (at: number): Event => ({
    kind: "plugin-requested",
    at,
    project,
    name: "a",
    by: "ada",
  });
  const { outputs } = story(
    seen(1, manual),
    ...[false, false, true, false].flatMap((ok, index) => [
      ask(10 * index + 2),
      { ...done(10 * index + 3, "a", index + 1), ok },
    ]),
  );
  const ends = outputs.filter((_, index) => index > 0 && index % 2 === 0);
  expect(ends.map(({ effects }) => effects.length)).toEqual([1, 0, 0, 1]);
  expect(ends[0]?.effects).toMatchObject([
    {
      key: "plugin:toy:notify:a:3",
      effect: { kind: "notify", severity: "warning", title: "plugin a failed" },
    },
  ]);
});

test("a gate that is changed counts from the change", () => {
  const manual = found("a", { gate: { kind: "manual" } });
  const cron = { gate: { kind: "cron", pattern: "0 9 * * *", timeZone: "UTC" } } as const;
  const changed = story(seen(1, manual), seen(9, found("a", cron, "cron 0 9 * * *")));
  expect(changed.outputs.flatMap(begun)).toEqual([]);
  expect(changed.state?.entries[0]).toMatchObject({ since: 9 });
  const cool = story(seen(1, manual), seen(9, found("a")));
  expect(begun(cool.outputs[1])).toEqual(["a"]);
});

test("a trigger that no plugin waits for goes to the operator, also where there are no plugins", () => {
  const fired = { kind: "plugin-event", at: 3, project, on: "deployed", by: "ci" } as const;
  const letter = { to: "operator", subject: "TRIGGER: deployed", priority: "low" };
  const told = [{ to: "mail:toy", event: { kind: "mail-sent", letter } }];
  expect(story(fired).outputs[0]?.tells).toMatchObject(told);
  const other = found("a", { gate: { kind: "event", on: "released" } });
  expect(story(seen(1, other), fired).outputs[1]?.tells).toMatchObject(told);
});

test("a prompt is a task for an agent; its answer is accepted and recorded", () => {
  const prompt = found("a", { work: { kind: "prompt", text: "Look around." } });
  const key = "plugin:toy:run:a:1";
  const asked = story(seen(1, prompt)).outputs[0];
  expect(asked?.tells).toMatchObject([
    {
      to: "project:toy",
      event: { kind: "task-requested", task: { key, role: "action", name: "plugin-a" } },
    },
  ]);
  const answer = (outcome: Extract<Event, { kind: "task-finished" }>["outcome"]): Event => ({
    kind: "task-finished",
    at: 5,
    key,
    run: runId("action-plugin-a.1"),
    outcome,
  });
  const result = story(seen(1, prompt), answer({ kind: "result", text: '"fine"' }));
  expect(result.outputs[1]?.tells).toMatchObject([{ event: { kind: "task-accepted", key } }]);
  expect(result.state?.log).toMatchObject([{ ok: true, note: '"fine"' }]);
  const landed = story(seen(1, prompt), answer({ kind: "landed", commit: commitId("abc") }));
  expect(landed.outputs[1]?.tells).toEqual([]);
  expect(landed.state?.log).toMatchObject([{ ok: true, note: "landed as abc" }]);
  const failed = story(seen(1, prompt), answer({ kind: "failed", reason: "gave up" }));
  expect(failed.state?.log).toMatchObject([{ ok: false, note: "gave up" }]);
});

test("a run that could not be carried out failed, and one that is gone meanwhile is kept until its end", () => {
  const effect: Output["effects"][number]["effect"] = {
    kind: "run-plugin",
    name: "a",
    key: "plugin:toy:run:a:1",
    number: 1,
    argv: ["x"],
    timeoutMs: 1,
  };
  const failed: Event = {
    kind: "effect-failed",
    at: 4,
    failed: { obligation: { key: "k", lane: "l", effect }, code: "x", message: "no disk" },
  };
  expect(story(seen(1, found("a")), failed).state?.log).toMatchObject([
    { ok: false, note: "no disk" },
  ]);
  expect(story(seen(1, found("a")), seen(2)).state?.entries).toHaveLength(1);
  expect(story(seen(1, found("a")), seen(2), done(3, "a"), seen(4)).state?.entries).toEqual([]);
});
