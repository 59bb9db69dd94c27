import { expect, test } from "vitest";
import { emptyOutput } from "../effect.ts";
import { projectName } from "../ids.ts";
import { checkOrphans, orphanSettled, type Orphan, type OrphanFact } from "./orphan.ts";
import { newPatrol, type Patrol } from "./patrol.ts";

const ISSUE: OrphanFact = {
  kind: "issue",
  key: "issue:4",
  issue: 4,
  title: "Four",
  ended: undefined,
  lost: true,
};
const ENTRY: OrphanFact = { kind: "entry", key: "entry:2", entry: 2, branch: "pawl/4", run: "4.1" };
const SESSION: OrphanFact = {
  kind: "session",
  key: "session:4.1:1",
  run: "4.1",
  epoch: 1,
  tmuxSession: "dev",
};
const IDENTITY: OrphanFact = {
  kind: "identity",
  key: "identity:dev-4:1",
  identity: "dev-4",
  run: "4.1",
};

function rounds(...seen: OrphanFact[][]) {
  let patrol: Patrol = newPatrol(projectName("toy"), "deacon");
  const all = seen.map((facts, at) => {
    const output = emptyOutput();
    patrol = checkOrphans(patrol, facts, { at, output });
    return output;
  });
  return { patrol, outputs: all };
}

test("what is seen once is a passing state: only the second round in a row acts, and only once", () => {
  const { outputs } = rounds([ISSUE], [ISSUE], [ISSUE], [ISSUE]);
  expect(outputs.map(({ effects }) => effects.length)).toEqual([0, 1, 0, 0]);
  expect(rounds([ISSUE], [], [ISSUE]).outputs.flatMap(({ effects }) => effects)).toEqual([]);
});

test("one that is still there half an hour later is settled again, under the same key", () => {
  const { patrol } = rounds([ISSUE, SESSION], [ISSUE, SESSION]);
  const look = (before: Patrol, at: number) => {
    const output = emptyOutput();
    const next = checkOrphans(before, [ISSUE, SESSION], { at, output });
    return { next, keys: output.effects.map(({ key }) => key) };
  };
  const HALF_HOUR_MS = 30 * 60_000;
  expect(look(patrol, HALF_HOUR_MS)).toEqual({ next: patrol, keys: [] });
  const again = look(patrol, HALF_HOUR_MS + 1);
  const keys = ["patrol:toy/deacon:orphan:1", "patrol:toy/deacon:orphan:2"];
  expect([again.keys, again.next.acts]).toEqual([keys, 2]);
  expect(look(again.next, HALF_HOUR_MS + 2)).toEqual({ next: again.next, keys: [] });
  expect(look(again.next, 2 * HALF_HOUR_MS + 1).keys).toEqual(keys);
  // An earlier version did not keep when.
  const { acted: _, ...old } = patrol.orphans[ISSUE.key] ?? {};
  const known = { ...patrol, orphans: { ...patrol.orphans, [ISSUE.key]: old as Orphan } };
  expect(look(known, HALF_HOUR_MS).keys).toEqual(["patrol:toy/deacon:orphan:3"]);
});

test("an issue whose work cannot be found becomes an incident; one that is saved does not", () => {
  const [, second] = rounds([ISSUE], [ISSUE]).outputs;
  expect(second?.effects[0]?.effect).toMatchObject({
    kind: "settle-orphan",
    incident: { title: "Incident: the work on #4 cannot be found" },
  });
  const saved = { ...ISSUE, lost: false };
  expect(rounds([saved], [saved]).outputs[1]?.effects[0]?.effect).toMatchObject({
    incident: undefined,
  });
});

test("an entry without a run is taken out of the queue, a session and an identity are settled outside", () => {
  const all = [ENTRY, SESSION, IDENTITY];
  const [, second] = rounds(all, all).outputs;
  expect(second?.tells).toEqual([
    { to: "queue:toy", event: { kind: "entry-removed", at: 1, entry: 2, by: "deacon" } },
  ]);
  expect(second?.effects.map(({ key }) => key)).toEqual([
    "patrol:toy/deacon:orphan:1",
    "patrol:toy/deacon:orphan:2",
  ]);
});

test("a quiet round leaves the very same state, and what is gone is forgotten", () => {
  const { patrol } = rounds([ISSUE], [ISSUE]);
  expect(checkOrphans(patrol, [ISSUE], { at: 9, output: emptyOutput() })).toBe(patrol);
  expect(checkOrphans(patrol, [], { at: 9, output: emptyOutput() }).orphans).toEqual({});
});

test("what became of it is kept beside it", () => {
  const { patrol } = rounds([ISSUE], [ISSUE]);
  const after = orphanSettled(patrol, { key: "issue:4", note: "#4 is back" }, 9);
  expect(after.orphans["issue:4"]?.settled).toBe("#4 is back");
  expect(orphanSettled(patrol, { key: "gone", note: "x" }, 9).notes["session-gc"]?.text).toBe("x");
});

test("the project hears of attempts that its journal does not know, once the orphan is sure", () => {
  const known = { ...ISSUE, claim: "run:toy/4.3", attempts: 3 };
  const [first, second] = rounds([known], [known]).outputs;
  expect(first?.tells).toEqual([]);
  expect(second?.tells).toEqual([
    { to: "project:toy", event: { kind: "attempts-found", at: 1, issue: 4, attempts: 3 } },
  ]);
});
