import { expect, test } from "vitest";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { projectName, runId } from "../ids.ts";
import type { Patrol } from "./patrol.ts";
import type { DeaconFacts, WitnessFacts } from "./patrol-event.ts";
import { stepPatrol } from "./step-patrol.ts";

const project = projectName("toy");
const QUIET: DeaconFacts = {
  inbox: [],
  pending: [],
  components: [{ name: "observer", ok: true, detail: "" }],
  orphans: [],
  own: { memoryMb: 100, journalMb: 5, freeMb: 4000 },
};

function deacon(patrol: Patrol | undefined, facts: Partial<DeaconFacts>, at = 1) {
  const seen = { kind: "deacon", facts: { ...QUIET, ...facts } } as const;
  return stepped(patrol, { kind: "patrol-observed", at, project, seen });
}

function witness(patrol: Patrol | undefined, facts: Partial<WitnessFacts>, at = 1) {
  const well = { silent: [], deacon: { agoMs: 0, lateMs: 100 } };
  const seen = { kind: "witness", facts: { ...well, ...facts } } as const;
  return stepped(patrol, { kind: "patrol-observed", at, project, seen });
}

function stepped(
  patrol: Patrol | undefined,
  event: Event,
): { patrol: Patrol | undefined; output: Output } {
  const output = emptyOutput();
  return { patrol: stepPatrol(patrol, event, output), output };
}

test("the first round notes that all is well, and a further one in which it still is writes nothing", () => {
  const first = deacon(undefined, {});
  expect(first.patrol?.health["observer"]).toMatchObject({ unresponsive: 0, lastHealthy: 1 });
  expect(first.output).toEqual(emptyOutput());
  expect(deacon(first.patrol, {}).patrol).toBe(first.patrol);
  const other = witness(undefined, {}).patrol;
  expect(witness(other, {}).patrol).toBe(other);
});

test("a session whose prompt is ready is told to begin, once per life", () => {
  const spawn = { run: runId("4.1"), identity: "dev-4", epoch: 1, ready: true };
  const first = deacon(undefined, { pending: [spawn] });
  expect(first.output.tells).toEqual([
    {
      to: "run:toy/4.1",
      event: { kind: "run-nudged", at: 1, by: "deacon", text: "Begin.", epoch: 1 },
    },
  ]);
  const again = deacon(first.patrol, { pending: [spawn] });
  expect(again.output.tells).toEqual([]);
  expect(again.patrol).toBe(first.patrol);
  expect(deacon(first.patrol, { pending: [{ ...spawn, epoch: 2 }] }).output.tells).toHaveLength(1);
  expect(deacon(undefined, { pending: [{ ...spawn, ready: false }] }).output.tells).toEqual([]);
});

test("loop or exit: a daemon that has grown exits where a keeper restarts it, but not again at once", () => {
  const HOURS_6 = 6 * 3_600_000;
  const own = { memoryMb: 900, journalMb: 5, freeMb: 4000 };
  const exits = ({ output }: { output: Output }): unknown[] =>
    output.effects.filter(({ effect }) => effect.kind === "renew-daemon");
  expect(exits(deacon(undefined, { own })), "no keeper").toEqual([]);
  const kept = { ...own, keeper: { since: 77 } };
  const first = deacon(undefined, { own: kept });
  expect(exits(first)).toMatchObject([{ effect: { since: 77 } }]);
  expect(first.patrol?.notes["loop-or-exit"]?.text).toMatch(/^exit: the daemon uses 900 MB/);
  const fresh = { ...kept, keeper: { since: 78 } };
  expect(exits(deacon(first.patrol, { own: fresh }, HOURS_6))).toEqual([]);
  expect(exits(deacon(first.patrol, { own: fresh }, HOURS_6 + 1))).toHaveLength(1);
  const restarted = stepped(first.patrol, {
    kind: "patrol-restarted",
    at: 2,
    project,
    name: "deacon",
    by: "ada",
  });
  expect(exits(deacon(restarted.patrol, { own: fresh }, 3)), "also not after that").toEqual([]);
  expect(exits(deacon(undefined, { own: { ...kept, memoryMaxMb: 1000 } }))).toEqual([]);
});

test("a daemon that grows is told of once, and again only after it was small", () => {
  const big = { memoryMb: 900, journalMb: 5, freeMb: 4000 };
  const first = deacon(undefined, { own: big });
  expect(first.output.tells).toMatchObject([{ event: { letter: { to: "operator" } } }]);
  expect(deacon(first.patrol, { own: big }).patrol).toBe(first.patrol);
  const small = deacon(first.patrol, {});
  expect(deacon(small.patrol, { own: big }).output.tells).toHaveLength(1);
});

test("what the doctor would clean up is cleaned up once; what stays is left to people", () => {
  const first = deacon(undefined, { leftovers: ["a", "b"] });
  expect(first.output.effects).toMatchObject([
    { key: "patrol:toy/deacon:fix:1", effect: { kind: "fix-leftovers" } },
  ]);
  const less = deacon(first.patrol, { leftovers: ["b"] });
  expect(less.output.effects).toEqual([]);
  expect(deacon(less.patrol, { leftovers: ["b"] }).patrol).toBe(less.patrol);
  expect(deacon(less.patrol, {}).patrol).toBe(less.patrol);
  expect(deacon(less.patrol, { leftovers: ["b", "c"] }).output.effects).toHaveLength(1);
  const event = { kind: "leftovers-fixed", at: 9, note: "the doctor fixed 1 of 1" } as const;
  const { patrol } = stepped(first.patrol, event);
  expect(patrol?.notes["session-gc"]?.text).toBe("the doctor fixed 1 of 1");
});

test("what gates and plugins did is noted once", () => {
  const news = [{ step: "gate-evaluation", at: 7, text: "gate g1 closed" }];
  const first = deacon(undefined, { news }, 9);
  expect(first.patrol?.notes["gate-evaluation"]).toEqual({ at: 7, text: "gate g1 closed" });
  expect(deacon(first.patrol, { news }, 10).patrol).toBe(first.patrol);
});

test("a late deacon is started again at once, pinged each round, and put before the operator at 5", () => {
  let patrol: Patrol | undefined;
  const did: string[] = [];
  for (let at = 1; at <= 7; at += 1) {
    const round = witness(patrol, { deacon: { agoMs: 900, lateMs: 100 } }, at);
    patrol = round.patrol;
    const letters = round.output.tells.map(({ event }) => "letter" in event && event.letter.to);
    did.push([...round.output.effects.map(({ effect }) => effect.kind), ...letters].join());
  }
  expect(did).toEqual([
    "restart-component,deacon",
    "deacon",
    "restart-component,deacon",
    "restart-component,deacon",
    "operator,deacon",
    "",
    "",
  ]);
  expect(witness(patrol, {}).patrol?.health["deacon"]?.unresponsive).toBe(0);
});

test("a silent worker is reported to the deacon once per life", () => {
  const silent = [{ identity: "dev-4", epoch: 1, sinceMs: 900_000 }];
  const first = witness(undefined, { silent });
  expect(first.output.tells).toMatchObject([
    { event: { letter: { to: "deacon", subject: "HELP: dev-4 has not been seen for 15 min" } } },
  ]);
  expect(witness(first.patrol, { silent }).patrol).toBe(first.patrol);
  const back = witness(first.patrol, {});
  expect(witness(back.patrol, { silent }).output.tells).toHaveLength(1);
});

test("a restarted patrol forgets what it counted, and failures are noted", () => {
  const ill = deacon(undefined, { components: [{ name: "observer", ok: false, detail: "x" }] });
  const event = { kind: "patrol-restarted", at: 5, project, name: "deacon", by: "ada" } as const;
  const { patrol } = stepped(ill.patrol, event);
  expect(patrol?.health).toEqual({});
  expect(patrol?.notes["loop-or-exit"]?.text).toBe("restarted by ada");
  const effect = { kind: "restart-component", component: "observer" } as const;
  const failed = { obligation: { key: "k", lane: "l", effect }, code: "x", message: "broken" };
  const after = stepped(patrol, { kind: "effect-failed", at: 6, failed }).patrol;
  expect(after?.notes["loop-or-exit"]?.text).toBe("could not restart-component: broken");
});
