import { expect, test } from "vitest";
import {
  HEAD,
  contextAt,
  testMessage,
  testRun,
  testSession,
  kinds,
  wants,
} from "../../../test/support/run.ts";
import { newEvidence, type Evidence, type Sighting } from "../session/evidence.ts";
import {
  patience,
  progressed,
  silenceDeadline,
  silenceOf,
  noteActivity,
  beginIdle,
  idleDeadline,
  idleLooked,
  look,
  lookDeadline,
  looked,
  notLooked,
  seen,
  stuck,
  unseen,
  warnOfSilence,
} from "./stuck.ts";
import { withEvidence } from "./session-life.ts";
import { testConfig } from "../../../test/support/config.ts";
import type { Run } from "./run.ts";
import type { Session } from "../session/session.ts";
import type { RunEvent } from "./run-event.ts";

const waited = testSession({ evidence: { ...newEvidence(), warned: true, strikes: 2 } });

test("progress is a sign of life too, and what was wrong with the silence is forgotten", () => {
  const { session } = progressed(testRun({ session: waited }), contextAt(9));
  expect(session).toMatchObject({ lastSeen: 9, lastProgress: 9 });
  expect(session?.evidence).toMatchObject({ warned: false, strikes: 0 });
});

test("the longest pause an agent came back from is remembered; waiting for others is none", () => {
  const once = progressed(testRun(), contextAt(500));
  expect(progressed(once, contextAt(600)).longestPauseMs).toBe(500);
  const queued = testRun({ stage: { kind: "queued", head: HEAD } });
  expect(progressed(queued, contextAt(500)).longestPauseMs).toBe(0);
});

test("a life that is over makes no progress and takes no evidence", () => {
  const dead = testRun({ session: testSession({ status: "ended" }) });
  expect(progressed(dead, contextAt(9))).toBe(dead);
  expect(withEvidence(dead, { warned: true })).toBe(dead);
});

test("a file that is seen after the turn has ended does not make a stopped agent a working one", () => {
  const idle = { checks: 2, lookAt: 5 };
  const stopped = { ...newEvidence(), idle, stopped: { at: 1, background: 0 } };
  const seen = noteActivity(testRun({ session: testSession({ evidence: stopped }) }), contextAt(9));
  expect(seen.session?.evidence.idle).toEqual({ checks: 0, lookAt: 10_009 });
  const busy = { ...stopped, stopped: undefined };
  const works = noteActivity(testRun({ session: testSession({ evidence: busy }) }), contextAt(9));
  expect(works.session?.evidence.idle).toBeUndefined();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const { limits } = testConfig();

const evident = (change: Partial<Evidence>): Partial<Run> => ({
  session: testSession({ evidence: { ...newEvidence(), ...change } }),
});

test.each([
  { what: "an unknown agent", pauseMs: 0, warnMs: 15 * MINUTE, stuckMs: 2 * HOUR },
  { what: "pauses of 10 min", pauseMs: 10 * MINUTE, warnMs: 20 * MINUTE, stuckMs: 2 * HOUR },
  { what: "pauses of 90 min", pauseMs: 90 * MINUTE, warnMs: HOUR, stuckMs: 3 * HOUR },
  { what: "pauses of days", pauseMs: 72 * HOUR, warnMs: HOUR, stuckMs: 8 * HOUR },
])("$what: the agent is given its time, within bounds", ({ pauseMs, warnMs, stuckMs }) => {
  expect(patience(limits, pauseMs)).toEqual({ warnMs, stuckMs });
});

test.each<{ what: string; run: Partial<Run>; quiet: number; alive: number }>([
  { what: "its start", run: {}, quiet: 0, alive: 0 },
  {
    what: "what it was last told",
    run: { messages: [testMessage({ at: 50 })] },
    quiet: 50,
    alive: 50,
  },
  {
    what: "the end of a limit of its account",
    run: evident({ limit: { until: 70, reason: "" } }),
    quiet: 70,
    alive: 70,
  },
  { what: "CPU that its processes used", run: evident({ busyAt: 80 }), quiet: 0, alive: 80 },
  {
    what: "a clock that advanced",
    run: evident({ clock: { shown: "10:00:00", advancedAt: 90 } }),
    quiet: 0,
    alive: 90,
  },
])("silence counts from $what", ({ run, quiet, alive }) => {
  expect(silenceOf(testRun(run))).toEqual({
    warnAt: quiet + 15 * MINUTE,
    stuckAt: alive + 2 * HOUR,
  });
});

test.each<[string, Partial<Run>]>([
  ["no session", { session: undefined }],
  ["an ended session", { session: testSession({ status: "ended" }) }],
  ["waiting for CI", { stage: { kind: "checking", head: HEAD, key: "k", deadline: undefined } }],
  ["a branch that is being fetched", { stage: { kind: "fetching", ordinal: 1 } }],
  ["a held session", { held: { by: "ada", at: 0 } }],
  ["an attached person", { session: testSession({ attached: true }) }],
  ["work that is over", { outcome: { kind: "landed", commit: HEAD } }],
])("%s is no silence", (_, change) => {
  expect(silenceOf(testRun(change))).toBeUndefined();
  expect(silenceDeadline(testRun(change))).toBeUndefined();
});

test("after the warning the next look is due when it would be stuck, and never at once again", () => {
  expect(silenceDeadline(testRun())).toBe(15 * MINUTE);
  expect(silenceDeadline(testRun(evident({ warned: true })))).toBe(2 * HOUR);
  const looked = evident({ warned: true, lookedAt: 3 * HOUR });
  expect(silenceDeadline(testRun(looked))).toBe(3 * HOUR + 30_000);
});

const knowing = (change: Partial<Evidence>): Run =>
  testRun({ session: testSession({ evidence: { ...newEvidence(), ...change } }) });

test("one look at a time, in a lane of its own", () => {
  const run = look(testRun());
  expect(wants(testRun(), run).effects).toMatchObject([
    { key: "run:toy/42.1:look:1", lane: "run:toy/42.1:look:1", effect: { epoch: 1 } },
  ]);
  expect(lookDeadline(testRun())).toBe(15 * 60_000);
  expect(lookDeadline(run)).toBeUndefined();
});

test("nothing is looked at that does not live", () => {
  const context = contextAt();
  const dead = testRun({ session: testSession({ status: "ended" }) });
  for (const act of [look, looked, notLooked]) expect(act(dead, context)).toBe(dead);
  expect(lookDeadline(testRun({ session: undefined }))).toBeUndefined();
  expect(kinds(context.output)).toEqual([]);
});

test("what a look finds decides: nothing, a warning, or the verdict", () => {
  expect(looked(testRun(), contextAt(60_000)).warnings).toEqual([]);
  expect(looked(testRun(), contextAt(20 * 60_000)).warnings).toMatchObject([
    { text: "no progress for 20m" },
  ]);
  expect(looked(testRun(), contextAt(3 * HOUR)).session).toMatchObject({ verdict: "stuck" });
});

test("a look that failed is tried again later, and concludes nothing", () => {
  const run = knowing({ looking: true, idle: { checks: 2, lookAt: 3 } });
  const next = notLooked(run, contextAt(3 * HOUR));
  expect(next.session?.evidence).toMatchObject({
    looking: false,
    lookedAt: 3 * HOUR,
    idle: { checks: 2, lookAt: 3 * HOUR + 10_000 },
  });
  expect(lookDeadline(next)).toBe(3 * HOUR + 30_000);
  expect(notLooked(testRun(), contextAt())).toEqual(testRun());
});

const STOPPED: Partial<Evidence> = {
  stopped: { at: 0, background: 0 },
  idle: { checks: 2, lookAt: 10 },
};

const idle = (
  change: Partial<Run> = {},
  facts: Partial<Evidence> = {},
  session?: Partial<Session>,
): Run => {
  const evidence = { ...newEvidence(), ...STOPPED, ...facts };
  return testRun({ session: testSession({ evidence, ...session }), ...change });
};

test.each<[string, Run]>([
  ["a stopped agent that writes a phase", idle({ stage: { kind: "queued", head: HEAD } })],
  ["one whose branch is being fetched", idle({ stage: { kind: "fetching", ordinal: 1 } })],
  ["one with tasks in the background", idle({}, { stopped: { at: 0, background: 1 } })],
  ["one that works", idle({}, { stopped: undefined })],
  ["one that asks", idle({}, { question: { id: "q", text: "?", choices: [] } })],
  ["one with a person at it", idle({}, {}, { attached: true })],
  [
    "one that was not told its news yet",
    idle({ messages: [testMessage({ status: "queued", epoch: 1 })] }),
  ],
  ["a held one", idle({ held: { by: "ada", at: 0 } })],
  [
    "one that is being handed off",
    idle({}, {}, { handOff: { requestedAt: 0, deadline: 9, saved: false } }),
  ],
])("%s is not idle", (_, run) => {
  expect(idleDeadline(run)).toBeUndefined();
  expect(idleLooked(run, contextAt(10))).toBe(run);
});

test("the third look in a row nudges, and an unread nudge is not repeated", () => {
  expect(idleDeadline(idle())).toBe(10);
  expect(idleLooked(idle(), contextAt(9)).messages).toEqual([]);
  const nudged = idleLooked(idle(), contextAt(10));
  expect(nudged.messages).toMatchObject([{ kind: "nudge" }]);
  expect(nudged.session?.evidence.idle).toEqual({ checks: 0, lookAt: 10_010 });
  const unread = idle({ messages: [testMessage({ kind: "nudge", status: "delivered" })] });
  expect(idleLooked(unread, contextAt(10))).toMatchObject({
    counts: { nudges: 1 },
    messages: [{ id: "m1" }],
  });
});

test("after two nudges the session ends as incomplete, reported as idle_prompt", () => {
  const run = idle();
  const twice: Run = { ...run, counts: { ...run.counts, nudges: 2 } };
  const ended = idleLooked(twice, contextAt(10));
  expect(ended.session?.verdict).toBe("incomplete");
  expect(ended.stage).toMatchObject({
    escalation: { reason: expect.stringMatching(/^idle_prompt/) },
  });
});

test("an agent that waits for a usage limit is looked at when the limit is over", () => {
  const run = idle({}, { limit: { until: 500, reason: "" } });
  expect(beginIdle(run, contextAt(20)).session?.evidence.idle).toEqual({
    checks: 0,
    lookAt: 10_500,
  });
});

test("being woken after a limit is not held against the agent, however often", () => {
  const limit = { until: 5, reason: "" };
  const run = idle({}, { limit });
  const twice: Run = { ...run, counts: { ...run.counts, nudges: 2 } };
  const woken = idleLooked(twice, contextAt(10));
  expect(woken).toMatchObject({ counts: { nudges: 2 }, messages: [{ kind: "nudge" }] });
  expect(woken.stage.kind).toBe("working");
});

test("a silence is warned of once, and says whether the agent is alive", () => {
  const warned = warnOfSilence(testRun(), contextAt(HOUR));
  expect(warned.warnings.map(({ text }) => text)).toEqual(["no progress for 1h"]);
  expect(warnOfSilence(warned, contextAt(2 * HOUR))).toBe(warned);
  const evidence = { ...newEvidence(), busyAt: HOUR };
  const busy = warnOfSilence(testRun({ session: testSession({ evidence }) }), contextAt(HOUR));
  expect(busy.warnings[0]?.text).toBe("no progress for 1h, but it is alive");
});

test("the first time it is started again, the second time a person is asked", () => {
  const first = contextAt(2 * HOUR);
  const once = stuck(testRun(), first);
  expect(once.session).toMatchObject({ status: "ending", verdict: "stuck" });
  expect(once.stage.kind).toBe("working");
  expect(kinds(wants(testRun(), once))).toEqual(["end-session", "checkpoint"]);
  const again = stuck({ ...once, session: testSession({ epoch: 2 }) }, contextAt(4 * HOUR));
  expect(again.stage).toMatchObject({ kind: "escalated" });
  expect(again.session?.verdict).toBe("stuck");
});

test("a life that is over cannot be stuck", () => {
  const dead = testRun({ session: testSession({ status: "ended" }) });
  expect(stuck(dead, contextAt(9 * HOUR))).toBe(dead);
  expect(warnOfSilence(dead, contextAt(9 * HOUR))).toBe(dead);
});

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
