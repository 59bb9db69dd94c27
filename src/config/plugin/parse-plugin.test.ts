import { expect, test } from "vitest";
import { parsePlugin } from "./parse-plugin.ts";

const parse = (text: string, more: { name?: string; script?: string[] } = {}) =>
  parsePlugin({ name: "sweep", from: "project", script: undefined, ...more, text });
const problem = (text: string, more: { name?: string } = {}): string => {
  const parsed = parse(text, more);
  return parsed.kind === "invalid" ? parsed.problem : "";
};
const front = (lines: string, body = "Do it."): string => `---\n${lines}\n---\n${body}\n`;

test("each of the five gates is read, with defaults for the rest", () => {
  const gateOf = (lines: string) => {
    const parsed = parse(front(`gate:\n${lines}`));
    return parsed.kind === "valid" ? parsed.plugin.gate : parsed.problem;
  };
  expect(gateOf("  type: cooldown\n  duration: 24h")).toEqual({
    kind: "cooldown",
    durationMs: 86_400_000,
  });
  expect(gateOf('  type: cron\n  schedule: "0 9 * * *"')).toEqual({
    kind: "cron",
    pattern: "0 9 * * *",
    timeZone: "UTC",
  });
  expect(gateOf("  type: condition\n  check: [test, -e, x]")).toEqual({
    kind: "condition",
    check: ["test", "-e", "x"],
  });
  expect(gateOf("  type: event\n  on: MERGE_COMPLETE")).toEqual({
    kind: "event",
    on: "MERGE_COMPLETE",
  });
  for (const on of ["startup", "heartbeat"]) {
    expect(gateOf(`  type: event\n  on: ${on}`)).toEqual({ kind: "event", on });
  }
  expect(gateOf('  type: event\n  on: "TRIGGER: deployed"')).toEqual({
    kind: "event",
    on: "deployed",
  });
  expect(gateOf("  type: manual")).toEqual({ kind: "manual" });
  expect(parse(front("gate: {type: manual}"))).toMatchObject({
    plugin: { parallel: false, timeoutMs: 600_000, work: { kind: "prompt", text: "Do it." } },
  });
});

test("run comes before run.sh, and both before the prompt", () => {
  const lines = "gate: {type: manual}";
  const script = ["sh", "plugins/sweep/run.sh"];
  expect(parse(front(lines), { script })).toMatchObject({
    plugin: { work: { kind: "script", argv: script } },
  });
  expect(parse(front(`${lines}\nrun: [make, sweep]`), { script })).toMatchObject({
    plugin: { work: { argv: ["make", "sweep"] } },
  });
  expect(parse(front(`${lines}\nrun: make sweep | cat`))).toMatchObject({
    plugin: { work: { argv: ["sh", "-c", "make sweep | cat"] } },
  });
});

test.each([
  ["no front matter", "does not begin with front matter"],
  [front("gate: [unclosed"), "of its front matter"],
  [front("gate: {type: sometimes}"), "gate"],
  [front("gate: {type: manual}\ntimout: 5 min"), "timout"],
  [front("gate: {type: cooldown, duration: soon}"), '"soon" is not a duration'],
  [front('gate: {type: cron, schedule: "61 * * * *"}'), '"61 * * * *"'],
  [front('gate: {type: cron, schedule: "0 6 * * *", tz: Mars}'), "Mars"],
  [front("gate: {type: event, on: MERGE_COMPLETED}"), '"MERGE_COMPLETED" is not an event'],
  [front("gate: {type: event, on: hartbeat}"), "startup, heartbeat"],
  [front("gate: {type: manual}\nname: other"), 'its folder is "sweep"'],
  [front("gate: {type: manual}", ""), "neither run, nor a run.sh, nor a prompt"],
  [front("a: &x 1\nb: *x"), ""],
])("%j is refused with the reason", (text, reason) => {
  expect(problem(text)).toContain(reason);
  expect(problem(text)).not.toBe("");
});

test("a folder whose name could mean something else is refused", () => {
  expect(problem(front("gate: {type: manual}"), { name: "../x" })).toContain("is not a valid name");
});
