import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { testRun } from "../../../test/support/run.ts";
import type { Action } from "../../core/action/action.ts";
import { actionAggregate, projectName, runAggregate, runId } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { AggregateState } from "../../core/step.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Claim } from "../../ports/forge.ts";
import { findClaims } from "./find-claims.ts";
import type { Found } from "./find-orphans.ts";

const NOW = 100_000_000;
const toy = projectName("toy");
const run = (attempt: number): string => runAggregate(toy, runId(`7.${attempt}`));
const claimed = (holder: Claim["holder"], key = run(3)): Claim => ({
  key,
  holder,
  by: "pawl-dev",
  at: NOW - 10_000,
});

type World = {
  claim: Claim | undefined | OperationError;
  states?: Record<string, AggregateState>;
  adoptAfterMs?: number;
  panes?: unknown;
  labels?: string[];
};

function found({ claim, states = {}, adoptAfterMs, panes = [], labels }: World) {
  let asked = 0;
  const forge = { kind: "gitea", url: "", owner: "o", repo: "r", adoptAfterMs } as const;
  const config = testConfig();
  const project = {
    name: toy,
    active: [],
    leaving: [],
    history: {},
    backlog: [{ number: 7, title: "Seven", labels: labels ?? ["in-progress"], unmet: [] }],
    config: { ...config, forge },
  } as unknown as Project;
  const look = {
    project,
    foreign: new Map(),
    ports: { clock: { now: () => NOW }, terminal: { panes: async () => panes } },
    own: {
      forge: {
        claimOf: async () => {
          asked += 1;
          if (claim instanceof OperationError) throw claim;
          return claim;
        },
      },
    },
    store: { load: async (id: string) => (states[id] ? { state: states[id] } : undefined) },
  } as unknown as Found;
  return { look, asked: () => asked };
}

test("a claim of this factory without its run is an orphan, and the next run is counted on", async () => {
  for (const holder of ["this", "gone"] as const) {
    expect(await findClaims(found({ claim: claimed(holder) }).look)).toMatchObject([
      { key: "issue:7", claim: run(3), attempts: 3, ended: undefined, lost: false },
    ]);
  }
});

test("a person's label and another's claim are ignored, and not looked up every round", async () => {
  for (const claim of [undefined, claimed("stranger"), claimed("sibling")]) {
    const { look, asked } = found({ claim });
    expect([await findClaims(look), await findClaims(look)]).toEqual([[], []]);
    expect(asked()).toBe(1);
  }
  expect(await findClaims(found({ claim: claimed("this"), labels: ["backlog"] }).look)).toEqual([]);
});

test("another factory of the account is given up only after the time that was configured", async () => {
  const silent = (adoptAfterMs: number) => found({ claim: claimed("sibling"), adoptAfterMs }).look;
  expect(await findClaims(silent(20_000))).toEqual([]);
  expect(await findClaims(silent(5_000))).toMatchObject([{ issue: 7, attempts: 3 }]);
  const stranger = found({ claim: claimed("stranger"), adoptAfterMs: 5_000 });
  expect(await findClaims(stranger.look)).toEqual([]);
});

test("a run that ended says how; one that let go because of a person leaves the label to them", async () => {
  const ended = (outcome: "blocked" | "closed" | "landed" | "lost") => {
    const kind = { kind: outcome, reason: "", why: "", commit: "c" } as never;
    const states = { [run(3)]: testRun({ outcome: kind }) };
    return findClaims(found({ claim: claimed("this"), states }).look);
  };
  expect(await ended("blocked")).toMatchObject([{ ended: "blocked" }]);
  expect(await ended("landed")).toMatchObject([{ ended: "landed" }]);
  expect(await ended("closed")).toEqual([]);
  // A daemon died with the claim made; its next try found the issue closed and took it for lost.
  expect(await ended("lost")).toMatchObject([{ ended: "lost" }]);
});

test("an operation is settled as it ended; if it is unknown how far it got, that is said", async () => {
  const id = actionAggregate(toy, 7);
  const about = (stage: Action["stage"] | undefined, key = `${id}#1`) => {
    const action = { kind: "action", project: toy, issue: 7, title: "", attempt: 1, stage };
    const states = stage === undefined ? {} : { [id]: action as Action };
    return findClaims(found({ claim: claimed("this", key), states }).look);
  };
  const over = (kind: "done" | "closed" | "lost"): Action["stage"] => ({
    kind: "ended",
    at: 1,
    outcome: { kind, report: "", reason: "" } as never,
  });
  expect(await about(over("done"))).toMatchObject([{ action: "done" }]);
  expect(await about(over("lost"))).toMatchObject([{ action: "unbegun" }]);
  expect(await about(over("closed"))).toEqual([]);
  expect(await about({ kind: "task", key: "k" })).toEqual([]);
  expect(await about(undefined)).toMatchObject([{ action: "unknown" }]);
});

test("while an agent of it lives, or that is unknown, nothing is taken up", async () => {
  const alive = [{ marks: { project: "toy", run: "7.3", epoch: 1 } }];
  expect(await findClaims(found({ claim: claimed("gone"), panes: alive }).look)).toEqual([]);
  expect(await findClaims(found({ claim: claimed("gone"), panes: "unknown" }).look)).toEqual([]);
  const down = new OperationError("down", { code: "x" });
  expect(await findClaims(found({ claim: down }).look)).toEqual([]);
});
