import { expect, test } from "vitest";
import { contextAt, testRun, testSession } from "../../../test/support/run.ts";
import type { RunEvent } from "../event.ts";
import { newEvidence, type Sighting } from "../session/evidence.ts";
import type { Run } from "./run.ts";
import { seen, unseen } from "./sightings.ts";

type Seen = Extract<RunEvent, { kind: "session-seen" }>;

const NOTHING: Sighting = {
  cpuMs: undefined,
  running: undefined,
  clock: undefined,
  percent: undefined,
  files: undefined,
  shown: undefined,
};
const sight = (sighting: Partial<Sighting>, attached = false): Seen => ({
  kind: "session-seen",
  at: 8,
  epoch: 1,
  attached,
  sighting: { ...NOTHING, ...sighting },
});
const knows = (files: string): Run =>
  testRun({ session: testSession({ evidence: { ...newEvidence(), files } }) });

test("being seen and making progress are different things", () => {
  const looked = seen(testRun(), sight({ clock: "10:00:00", cpuMs: 5 }), contextAt(8));
  expect(looked.session).toMatchObject({ lastSeen: 8, lastProgress: 0 });
  expect(seen(knows("a"), sight({ files: "a" }), contextAt(8)).session?.lastProgress).toBe(0);
  expect(seen(knows("a"), sight({ files: "b" }), contextAt(8)).session?.lastProgress).toBe(8);
});

test("what a person did at the terminal counts from when he has left", () => {
  const here = seen(testRun(), sight({}, true), contextAt(8));
  expect(here.session).toMatchObject({ attached: true, lastProgress: 0 });
  const gone = seen(here, { ...sight({}), at: 9 }, contextAt(9));
  expect(gone.session).toMatchObject({ attached: false, lastProgress: 9 });
});

test("a life that is over is not seen any more", () => {
  const dead = testRun({ session: testSession({ status: "ended" }) });
  expect(seen(dead, sight({}), contextAt(8))).toBe(dead);
  expect(unseen(dead, contextAt(8))).toBe(dead);
});

test("three strikes and five minutes before a word is said, and then one word", () => {
  const strike = (run: Run, times: number, at: number): Run => {
    let struck = run;
    for (let time = 0; time < times; time += 1) struck = unseen(struck, contextAt(at));
    return struck;
  };
  expect(strike(testRun(), 2, 400_000).warnings).toEqual([]);
  expect(strike(testRun(), 3, 200_000).warnings).toEqual([]);
  expect(strike(testRun(), 9, 400_000).warnings).toHaveLength(1);
  const seenBetween = seen(strike(testRun(), 2, 400_000), sight({}), contextAt(8));
  expect(strike(seenBetween, 1, 400_000).warnings).toEqual([]);
});
