// What the queue tells of an entry: what it became on the target, with whom it conflicts, where its
// branch was removed.
import { expect, test } from "vitest";
import { createWorld, queued } from "../../../test/support/queue-world.ts";
import { emptyOutput } from "../effect.ts";
import { commitId } from "../ids.ts";
import { explain, reasonText } from "./explain.ts";
import { branchDeleted, merged } from "./settle.ts";
import { conflicted } from "./survey.ts";

const { queue: empty } = createWorld({});
const output = emptyOutput();
const entries = [queued("a", { id: 1, issue: 7 }), queued("b", { id: 2 }), queued("c", { id: 3 })];
const landed = merged(
  { ...empty, entries },
  [
    { entry: 1, commit: commitId("m1") },
    { entry: 2, commit: commitId("m2") },
  ],
  { at: 5, output },
);

test("a conflict with the target names the commits that changed the files, and whose they are", () => {
  const by = ["m1", "m2", "x"].map((id) => ({ commit: commitId(id), subject: `Of ${id}` }));
  const { past } = conflicted(landed, { entry: 3, files: ["f"], by }, { at: 6, output });
  const end = past.at(-1)?.end;
  expect(end?.kind === "returned" && reasonText(end.reason)).toBe(
    'conflicts with the target in f, changed there by m1 "Of m1" (entry 1, #7), m2 "Of m2" (entry 2, b-b), x "Of x"',
  );
});

test("a branch that was removed is named only with the entry that landed it", () => {
  const gone = { branch: "b-b", head: commitId("b"), from: "checkout" } as const;
  const last = (queue: typeof landed, id: number) => explain(queue, id, 0)?.at(-1)?.text;
  expect(last(branchDeleted(landed, gone), 2)).toContain("`git branch b-b b` restores it");
  expect(last(branchDeleted(landed, gone), 1)).toBe("landed as m1");
  const newer = { ...gone, head: commitId("later") };
  expect(last(branchDeleted(landed, newer), 2)).toBe("landed as m2");
});
