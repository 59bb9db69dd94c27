import { expect, test } from "vitest";
import { PROJECT, testRun } from "../../../test/support/run.ts";
import type { IssueFacts } from "../../core/project/backlog.ts";
import { digestOf } from "../../core/project/digest.ts";
import { runAggregate, runId } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { NameQuery, StoredAggregate } from "../../ports/store.ts";
import { blockedWaits } from "./blocked.ts";

const issue = (number: number): IssueFacts => ({
  number,
  title: `t${number}`,
  labels: ["backlog", "blocked"],
  createdAt: 0,
  unmet: [],
});
const digest = (numbers: number[]) => digestOf({ backlog: numbers.map(issue) });

/** The issues that a run gave up. */
const history = (givenUp: number[]) => ({
  named: async ({ name }: NameQuery): Promise<StoredAggregate[]> => {
    if (!givenUp.includes(Number(name))) return [];
    const outcome = { kind: "blocked", reason: "red" } as Run["outcome"];
    const state = { ...testRun(), outcome } as Run;
    return [{ id: runAggregate(PROJECT, runId("1.1")), version: 1, state }];
  },
});

test("an issue that was given up is found behind many that people labelled", async () => {
  const numbers = Array.from({ length: 13 }, (_, index) => index + 1);
  expect(await blockedWaits(history([13]), PROJECT, digest(numbers))).toMatchObject([
    { about: "#13 t13", why: "blocked: red", command: "pawl retry 13" },
  ]);
});

test("ten of them are named, and the others are a count", async () => {
  const numbers = Array.from({ length: 14 }, (_, index) => index + 1);
  const waits = await blockedWaits(history(numbers), PROJECT, digest(numbers));
  expect(waits).toHaveLength(11);
  expect(waits.at(-1)).toMatchObject({ about: "backlog", why: "4 more issues are blocked" });
});
