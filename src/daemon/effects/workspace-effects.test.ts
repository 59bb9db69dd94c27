import { expect, test } from "vitest";
import { HEAD } from "../../../test/support/run.ts";
import { taskRun, testTask } from "../../../test/support/task.ts";
import type { Git } from "../../ports/git.ts";
import { pathsOf } from "../host/paths.ts";
import type { EffectContext, EffectOf } from "./executor.ts";
import { workspaceEffects } from "./workspace-effects.ts";

function fetched(changes: Awaited<ReturnType<Git["changesOf"]>>) {
  const task = { ...testTask(), output: "branch" as const, files: ["planner/**"] };
  const run = taskRun({ base: undefined }, task);
  const context = {
    project: "toy",
    aggregate: "run:toy/42.1",
    paths: pathsOf("/h", "/r"),
    signal: new AbortController().signal,
    now: () => 0,
    store: { load: async () => ({ state: run }) },
    own: {
      git: {
        fetchTarget: async () => "t",
        fetchBranch: async () => ({ head: HEAD, ahead: 1, dirty: [], bytes: 0 }),
        contains: async () => false,
        changesOf: async () => changes,
      },
    },
  } as unknown as EffectContext;
  const effect = { kind: "fetch-branch", ordinal: 1, identity: "a-1", branch: "pawl/1" };
  return workspaceEffects["fetch-branch"](effect as EffectOf<"fetch-branch">, context);
}

test("of a branch that may change only some files it is known whether all of its files are listed", async () => {
  const files = ["planner/a.md"];
  const whole = await fetched({ diff: "", files });
  expect(whole).toMatchObject({ paths: files });
  expect(whole).not.toHaveProperty("unlisted");
  expect(await fetched({ diff: "", files, cut: true })).toMatchObject({ unlisted: true });
  // No commit in common with the target.
  expect(await fetched(undefined)).toMatchObject({ unlisted: true });
});
