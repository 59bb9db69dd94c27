import { expect, test } from "vitest";
import { PROJECT, testRun } from "../../test/support/run.ts";
import type { Event } from "./event.ts";
import { projectAggregate, runAggregate } from "./ids.ts";
import { POISON } from "./quarantine.ts";
import { step } from "./step.ts";

const died = (kind: string): Event => ({
  kind: "effect-failed",
  at: 0,
  failed: {
    obligation: { key: "k", lane: "l", effect: { kind, ordinal: 1 } as never },
    code: POISON,
    message: "two daemons died of it",
  },
});

test("a run that needs the effect asks a person, who can have it tried again", () => {
  const run = testRun({ stage: { kind: "fetching", ordinal: 1 } });
  const { state } = step(runAggregate(PROJECT, run.id), run, died("fetch-branch"));
  expect(state).toMatchObject({
    stage: {
      kind: "escalated",
      escalation: { reason: "two daemons died of it", again: { key: "k" } },
    },
  });
});

test("without a run that could ask, a person is told", () => {
  const run = testRun();
  const { output } = step(runAggregate(PROJECT, run.id), run, died("post-status"));
  const title =
    "Pawl has stopped trying `post-status` in toy: the daemon crashed twice while it did this";
  expect(output.effects).toMatchObject([{ lane: "notify:toy", effect: { kind: "notify", title } }]);
  const project = step(projectAggregate(PROJECT), undefined, died("notify"));
  expect(project.output.effects).toEqual([]);
});
