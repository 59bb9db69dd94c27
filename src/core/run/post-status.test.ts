import { expect, test } from "vitest";
import { contextAt, HEAD, testRun } from "../../../test/support/run.ts";
import { treeId } from "../ids.ts";
import { postStatus } from "./post-status.ts";

const forge = { kind: "gitea", url: "https://forge.example", owner: "a", repo: "b" } as const;
const run = testRun();
const onForge = { ...run, config: { ...run.config, forge } };
const infra = { kind: "infra", tree: treeId("t"), message: "no disk", logTail: "" } as const;

test("what CI says goes to the forge, in a lane of its own", () => {
  const context = contextAt();
  postStatus(onForge, { head: HEAD, outcome: undefined }, context);
  postStatus(onForge, { head: HEAD, outcome: infra }, context);
  const [begun, broken] = context.output.effects;
  expect(begun?.effect).toMatchObject({ kind: "post-status", head: HEAD, state: "pending" });
  expect(broken?.effect).toMatchObject({ state: "error" });
  expect(begun?.lane).toBe(broken?.lane);
  expect(begun?.key).not.toBe(broken?.key);
  expect(begun?.lane).not.toBe(`run:${run.project}:${run.id}`);
});

test("where issues live in the journal, no status is posted", () => {
  const context = contextAt();
  postStatus(run, { head: HEAD, outcome: undefined }, context);
  expect(context.output.effects).toEqual([]);
});
