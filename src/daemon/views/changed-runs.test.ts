import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import type { RunView } from "../../api/runs.ts";
import { projectAggregate, runAggregate, type AggregateId } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run.ts";
import type { AggregateState } from "../../core/step.ts";
import { changedSince } from "./changed-runs.ts";

const RUN = testRun();
const PROJECT = { kind: "project", name: RUN.project, backlog: [] as unknown[] } as Project;
const [RUN_ID, PROJECT_ID] = [runAggregate(RUN.project, RUN.id), projectAggregate(RUN.project)];

function follower(states: Partial<Record<AggregateId, AggregateState>>) {
  const changed = changedSince({
    store: {
      load: async (id) => {
        const state = states[id];
        return state === undefined ? undefined : { id, version: 1, state };
      },
    },
    viewOf: async ({ id }) => ({ run: id }) as unknown as RunView,
  });
  return async (...aggregates: AggregateId[]) => {
    const { runs, rest } = await changed([{ seq: 1, aggregates }]);
    return { runs: runs.map(({ run }) => run), rest };
  };
}

test("a living run that changed is told whole, once for several commits", async () => {
  const told = follower({ [RUN_ID]: RUN });
  expect(await told(RUN_ID, RUN_ID)).toEqual({ runs: [RUN.id], rest: false });
});

test("a run that is over, another aggregate, and a commit that names none show in more", async () => {
  const over: Run = { ...RUN, stage: { kind: "ended" }, outcome: { kind: "answered" } };
  const told = follower({ [RUN_ID]: over });
  for (const ids of [[RUN_ID], ["queue:toy" as AggregateId], []]) {
    expect(await told(...ids)).toEqual({ runs: [], rest: true });
  }
});

test("of a project, only what agents have used may change without being told", async () => {
  const states: Partial<Record<AggregateId, AggregateState>> = { [PROJECT_ID]: PROJECT };
  const told = follower(states);
  const restAfter = async (change: Partial<Project>): Promise<boolean> => {
    states[PROJECT_ID] = { ...PROJECT, ...change };
    return (await told(PROJECT_ID)).rest;
  };
  expect(await restAfter({})).toBe(true);
  const spending = { day: "1970-01-01", total: { tokens: 5, usd: 0 }, roles: {} };
  expect(await restAfter({ spending })).toBe(false);
  expect(await restAfter({ paused: { by: "ann", why: "lunch" } as Project["paused"] })).toBe(true);
  expect(await restAfter({ backlog: [] })).toBe(true);
});
