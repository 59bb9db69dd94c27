import { expect, test } from "vitest";
import { commitId, projectName } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { observeGate, type GatePlace } from "./observe-gate.ts";

const [OLD, NEW] = [commitId("a".repeat(40)), commitId("b".repeat(40))];

const runWith = (facts: object): Run =>
  ({
    kind: "run",
    id: "7.1",
    identity: "dev-7",
    branch: "pawl/7",
    attempt: 1,
    work: { kind: "issue", number: 7 },
    stage: { kind: "working" },
    ...facts,
  }) as unknown as Run;

const look = (run: Run) =>
  observeGate({ kind: "ci", of: "pawl/7" }, {
    project: projectName("demo"),
    store: {
      aggregates: async () => [{ state: run }],
      named: async () => [],
      load: async () => undefined,
    },
  } as unknown as GatePlace);

const passed = (head: string) => ({ head, outcome: { kind: "passed" } });

test("a gate for CI is met by a check of the branch's head", async () => {
  expect(await look(runWith({ head: NEW, check: passed(NEW) }))).toMatchObject({ met: true });
});

test("a gate for CI waits while only an older head was checked", async () => {
  expect(await look(runWith({ head: NEW, check: passed(OLD) }))).toEqual({
    met: false,
    over: false,
    text: `the checks passed at aaaaaaaaaa, and pawl/7 is at bbbbbbbbbb`,
  });
  const stage = { kind: "checking", head: NEW };
  expect(await look(runWith({ head: OLD, stage, check: passed(OLD) }))).toMatchObject({
    met: false,
  });
});
