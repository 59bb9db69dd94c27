import { expect, test } from "vitest";
import { emptyOutput } from "../effect.ts";
import { commitId, runId } from "../ids.ts";
import { createWorld, queued } from "../../../test/support/queue-world.ts";
import { returnEntry, merged, withdrawn } from "./settle.ts";

const { queue: empty } = createWorld({});
const run = runId("1.1");
const queue = {
  ...empty,
  entries: [queued("a", { id: 1, run }), queued("b", { id: 2, after: ["b-a", "b-c"] })],
};

test("a merged entry is told, and no entry waits for it any more", () => {
  const output = emptyOutput();
  const next = merged(queue, [{ entry: 1, commit: commitId("m") }], { at: 5, output });
  expect(output.tells).toMatchObject([
    { to: "run:p/1.1", event: { kind: "entry-landed", commit: "m", head: "a" } },
  ]);
  expect(output.signals).toMatchObject([{ kind: "MERGE_COMPLETE", detail: { branch: "b-a" } }]);
  expect(output.effects).toEqual([]);
  expect(next.entries).toMatchObject([{ id: 2, after: ["b-c"] }]);
  expect(next.past).toMatchObject([{ id: 1, leftAt: 5, end: { kind: "merged" } }]);
});

test("what lands although it was cancelled is told to the project: its run may be over", () => {
  const output = emptyOutput();
  const leaving = { id: 1, run, issue: 7, leaving: "closed" };
  const late = { ...empty, entries: [queued("a", leaving)] };
  merged(late, [{ entry: 1, commit: commitId("m") }], { at: 5, output });
  expect(output.tells).toEqual([
    { to: "run:p/1.1", event: { kind: "entry-landed", at: 5, commit: "m", head: "a" } },
    { to: "project:p", event: { kind: "head-landed", at: 5, issue: 7, head: "a" } },
  ]);
});

test("a head that adds nothing to what its run landed is merged without a second signal", () => {
  const output = emptyOutput();
  const context = { at: 5, output };
  const commit = commitId("m");
  const first = merged(queue, [{ entry: 1, commit }], context);
  const again = queued("a2", { id: 3, run, branch: "b-a" });
  merged({ ...first, entries: [again] }, [{ entry: 3, commit }], context);
  expect(output.signals).toHaveLength(1);
  expect(output.tells).toMatchObject([{ event: { head: "a" } }, { event: { head: "a2" } }]);
});

test("a branch that a person added is deleted once it is merged; a run deletes its own", () => {
  const output = emptyOutput();
  merged(queue, [{ entry: 2, commit: commitId("m") }], { at: 5, output });
  expect(output.effects).toMatchObject([
    { effect: { kind: "delete-branch", branch: "b-b", head: "b" } },
  ]);
  expect(output.tells).toEqual([]);
});

test("who goes back is told why, with the files, exactly once", () => {
  const output = emptyOutput();
  const context = { at: 5, output };
  const given = { entry: 1, reason: { kind: "conflict", files: ["f"] } } as const;
  const reason = { kind: "conflict" as const, files: ["f"] };
  const next = returnEntry(queue, { ...given, reason }, context);
  expect(returnEntry(next, { ...given, reason }, context)).toBe(next);
  expect(output.signals).toMatchObject([
    { kind: "MERGE_CONFLICT", detail: { reason: "conflict", conflict_files: ["f"] } },
  ]);
  expect(output.tells).toMatchObject([{ event: { kind: "entry-returned", reason } }]);
});

test("a cancelled entry leaves without a message", () => {
  const next = withdrawn(queue, queue.entries[0]!, { why: "closed", at: 5 });
  expect(next.past).toMatchObject([{ id: 1, end: { kind: "withdrawn", why: "closed" } }]);
});
