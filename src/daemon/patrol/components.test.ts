import { expect, test } from "vitest";
import { testRun, testSession } from "../../../test/support/run.ts";
import { projectName } from "../../core/ids.ts";
import type { OutboxRow } from "../../ports/store.ts";
import { components, type ComponentDeps } from "./components.ts";

const NOW = 100 * 60_000;
const WELL: ComponentDeps = {
  now: NOW,
  project: projectName("toy"),
  runs: [],
  queue: undefined,
  outbox: [],
  underWay: new Set(),
  observer: { lookedAt: NOW - 1000, everyMs: 30_000, trouble: undefined },
};
const ill = (change: Partial<ComponentDeps>): string[] =>
  components({ ...WELL, ...change })
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${name}: ${detail}`);

test("where everything moves, every part is well", () => {
  expect(components(WELL).map(({ name, ok }) => [name, ok])).toEqual([
    ["observer", true],
    ["merge-queue", true],
    ["sessions", true],
    ["outbox", true],
  ]);
});

test("an observer is not well while its look fails or has not come for five minutes", () => {
  const everyMs = 30_000;
  expect(ill({ observer: { lookedAt: NOW, everyMs, trouble: "no answer" } })).toEqual([
    "observer: no answer",
  ]);
  const late = { lookedAt: NOW - 6 * 60_000, everyMs, trouble: undefined };
  expect(ill({ observer: late })).toEqual(["observer: the last check was 360 s ago"]);
  // A command that runs one round has looked at nothing yet.
  expect(ill({ observer: { lookedAt: undefined, everyMs, trouble: undefined } })).toEqual([]);
});

test("an observer whose forge tells by itself is well although it looks once an hour", () => {
  const told = { lookedAt: NOW - 60 * 60_000, everyMs: 3_600_000, trouble: undefined };
  expect(ill({ observer: told })).toEqual([]);
  expect(ill({ observer: { ...told, lookedAt: NOW - 66 * 60_000 } })).toHaveLength(1);
});

test("a living session that was not seen for ten minutes is not watched", () => {
  const unseen = testRun({ session: testSession({ lastSeen: NOW - 11 * 60_000 }) });
  expect(ill({ runs: [unseen] })).toEqual(["sessions: not seen: dev-42"]);
  const ended = testRun({ session: testSession({ status: "ended", lastSeen: 0 }) });
  expect(ill({ runs: [ended] })).toEqual([]);
});

test("a due effect that is not carried out shows that the outbox has stopped", () => {
  const row: OutboxRow = {
    key: "k",
    seq: 1,
    aggregate: "run:toy/1.1",
    lane: "l",
    effect: { kind: "look-outside" },
    attempts: 0,
    notBefore: 0,
  };
  expect(ill({ outbox: [row] })).toHaveLength(1);
  expect(ill({ outbox: [row], underWay: new Set(["k"]) })).toEqual([]);
  expect(ill({ outbox: [{ ...row, notBefore: NOW }] })).toEqual([]);
  expect(ill({ outbox: [{ ...row, aggregate: "run:other/1.1" }] })).toEqual([]);
});
