// Invariants of a run for all events in any order: first that nothing bad happens, then that
// something good does. A counterexample is printed with its seed.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  agentEvent,
  carryOut,
  happen,
  newRunWorld,
  otherEvent,
  passTime,
  type Chance,
  type RunWorld,
} from "../../../test/support/run-world.ts";
import { wants } from "../../../test/support/run.ts";
import { assert } from "../../lib/assert.ts";
import type { Obligation, Output } from "../effect.ts";
import { isLive } from "../session/session.ts";
import { runDeadline } from "./proceed.ts";
import { isOpen } from "./message.ts";
import { isActive, isAttended, lifeDeadline, type Run } from "./run.ts";
import { fetchOf } from "./stage.ts";

const HOUR_MS = 3_600_000;
const RUNS = 150;

const chances = fc.array(fc.record({ action: fc.nat(999), detail: fc.nat(999) }), {
  maxLength: 80,
  size: "max",
});

/** Effects succeed more often than not, or no run would get anywhere. */
function takeChance(world: RunWorld, { action, detail }: Chance): void {
  const kind = action % 10;
  const rest = { action: Math.floor(action / 10), detail };
  if (kind < 5) carryOut(world, detail, kind === 4 && detail % 3 === 0);
  else if (kind < 7) happen(world, agentEvent(world, rest, world.run.epoch));
  else if (kind === 7) happen(world, agentEvent(world, rest, world.run.epoch - 1));
  else if (kind === 8) happen(world, otherEvent(world, rest));
  else passTime(world, (detail % 30) * HOUR_MS);
}

/** Undefined where it held; else the shortest story in which it did not. */
function broken(
  check: RunWorld["check"],
  after: (world: RunWorld) => void = () => undefined,
): string | undefined {
  const property = fc.property(chances, fc.boolean(), (taken, required) => {
    const world = newRunWorld(check, required);
    for (const chance of taken) takeChance(world, chance);
    after(world);
  });
  const details = fc.check(property, { numRuns: RUNS });
  return details.failed ? (fc.defaultReportMessage(details) ?? "it failed") : undefined;
}

const nothing = (): void => undefined;

const isEmpty = (output: Output): boolean =>
  [output.effects, output.cancelled, output.tells, output.signals].every(
    (list) => list.length === 0,
  );

test("no order of events makes the step throw, start a life beside another, or leave a deadline due", () => {
  // The world itself throws where a second process is started or time stands still.
  expect(broken(nothing)).toBeUndefined();
});

test("epochs only grow, and the session is always of the newest one", () => {
  const found = broken(({ before, run }) => {
    assert(run.epoch >= before.epoch, "the epoch went back");
    assert(run.session === undefined || run.session.epoch === run.epoch, "an old session");
  });
  expect(found).toBeUndefined();
});

test("what an earlier epoch says changes nothing", () => {
  const found = broken(({ before, event, run, output }) => {
    const stale = "epoch" in event && event.epoch !== before.session?.epoch;
    assert(!stale || (run === before && isEmpty(output)), `a stale ${event.kind} had power`);
  });
  expect(found).toBeUndefined();
});

test("a run that is over does nothing any more", () => {
  const found = broken(({ before, event, run, output }) => {
    const over = before.stage.kind === "ended";
    assert(!over || (run === before && isEmpty(output)), `${event.kind} woke it`);
  });
  expect(found).toBeUndefined();
});

test("an issue is settled at most once, and a run is over at most once", () => {
  const found = broken(nothing, (world) => {
    assert(world.settled <= 1, "settled twice");
    const times = world.run.stage.kind === "ended" ? 1 : 0;
    assert(world.cleared === times, `cleared ${world.cleared} times instead of ${times}`);
  });
  expect(found).toBeUndefined();
});

test("an outcome never changes, and after it no life is started", () => {
  const found = broken(({ before, run }) => {
    if (before.outcome === undefined) return;
    assert(run.outcome?.kind === before.outcome.kind, "another outcome");
    assert(run.epoch === before.epoch, "another life");
  });
  expect(found).toBeUndefined();
});

test("after its outcome no workspace is made for a run, and no branch fetched from it", () => {
  const found = broken(nothing, ({ run, outbox }) => {
    const late = outbox.filter(({ effect }) =>
      ["prepare-workspace", "fetch-branch"].includes(effect.kind),
    );
    assert(run.outcome === undefined || late.length === 0, `still to do: ${late[0]?.key}`);
  });
  expect(found).toBeUndefined();
});

test("an open message never vanishes", () => {
  const found = broken(({ before, run }) => {
    const ids = new Set(run.messages.map(({ id }) => id));
    const lost = before.messages.filter((message) => isOpen(message) && !ids.has(message.id));
    assert(lost.length === 0, `lost ${lost.map(({ id }) => id).join(" ")}`);
  });
  expect(found).toBeUndefined();
});

test("a message is shown at most once to one life", () => {
  const shown = new Set<string>();
  const found = broken(({ before, output }) => {
    if (before.stage.kind === "claiming") shown.clear();
    for (const { effect } of output.effects) {
      if (effect.kind !== "deliver-message" && effect.kind !== "spawn-session") continue;
      const ids = effect.kind === "deliver-message" ? [effect.id] : effect.tell.map(({ id }) => id);
      for (const showing of ids.map((id) => `${id} in ${effect.epoch}`)) {
        assert(!shown.has(showing), `${showing} again`);
        shown.add(showing);
      }
    }
  });
  expect(found).toBeUndefined();
});

test("a stopped or held run starts no life, and a session that a person sits at is not ended", () => {
  const theirs = ["session-exited", "run-stopped", "run-released", "session-seen"];
  const found = broken(({ before, event, run, output }) => {
    const spawns = output.effects.some(({ effect }) => effect.kind === "spawn-session");
    const theirsToStart = run.stopped !== undefined || run.held !== undefined;
    assert(!spawns || !theirsToStart, "started against a person's word");
    const ends = before.session?.status === "live" && run.session?.status === "ending";
    assert(!ends || !isAttended(before) || theirs.includes(event.kind), `ended by ${event.kind}`);
  });
  expect(found).toBeUndefined();
});

test("nothing that a session needs waits behind what asks a network", () => {
  const asksNetwork = new Set<string>([
    "claim-issue",
    "prepare-workspace",
    "fetch-branch",
    "publish-branch",
    "check-branch",
    "settle-issue",
    "finish-pr",
    "delete-branch",
    "say-on-issue",
    "post-status",
    "notify",
  ]);
  const lanes = new Map<string, boolean>();
  const found = broken(({ output }) => {
    for (const { lane, effect } of output.effects) {
      const asks = asksNetwork.has(effect.kind);
      assert((lanes.get(lane) ?? asks) === asks, `${effect.kind} shares the lane ${lane}`);
      lanes.set(lane, asks);
    }
  });
  expect(found).toBeUndefined();
});

test("every wait for others has a deadline", () => {
  const found = broken(({ run, event }) => {
    const { stage } = run;
    if (event.kind === "check-started" && stage.kind === "checking" && stage.head === event.head) {
      assert(stage.deadline !== undefined && stage.deadline > event.at, "a check without end");
    }
    const live = isLive(run.session) && run.session.status === "live";
    const waits = ["reviewing", "escalated"].includes(stage.kind);
    assert(!waits || runDeadline(run) !== undefined, `${stage.kind} without a deadline`);
    assert(!live || stage.kind !== "landed" || runDeadline(run) !== undefined, "an endless leave");
    const capped = live && isActive(run) && !isAttended(run);
    assert(!capped || lifeDeadline(run) !== undefined, "an endless life");
  });
  expect(found).toBeUndefined();
});

/** Who moves next? A wait without a deadline must have something at work on it. */
function whoMoves(run: Run, world: RunWorld): string | undefined {
  const { stage, session } = run;
  const waits = (kind: string): boolean => world.outbox.some(({ effect }) => effect.kind === kind);
  if (run.stopped !== undefined || isAttended(run)) return "a person";
  if (session?.status === "spawning" && waits("spawn-session")) return "the terminal";
  if (session?.status === "ending" && waits("end-session")) return "the terminal";
  if (runDeadline(run) !== undefined) return "the clock";
  // A life that neither runs nor is being ended holds everything up.
  if (isLive(session)) return undefined;
  if (fetchOf(stage) !== undefined && waits("fetch-branch")) return "git";
  if (stage.kind === "claiming" && waits("claim-issue")) return "the forge";
  if (stage.kind === "preparing" && waits("prepare-workspace")) return "git";
  if (stage.kind === "publishing" && waits("publish-branch")) return "the forge";
  if (stage.kind === "checking" && waits("check-branch")) return "CI";
  if (stage.kind === "queued" && world.queued === stage.head) return "the merge queue";
  if (waits("settle-issue") || waits("remove-workspace")) return "the forge";
  if (stage.kind === "blocking" && stage.clearing.isSaving === true && waits("checkpoint")) {
    return "git";
  }
  return stage.kind === "ended" ? "nothing, it is over" : undefined;
}

/** Once asked for these are carried out, whatever the run stands for then. */
const STAYS = new Set<string>(["checkpoint", "delete-branch", "unlink-phase"]);
const NEWS = new Set<string>(["notify", "say-on-issue", "post-status"]);

/** A key alone may hide that something else is meant. */
const named = ({ key, effect }: Obligation): string =>
  "head" in effect ? `${key} of ${effect.head}` : key;

test("exactly what the state of a run stands for is asked for and not cancelled", () => {
  const found = broken(nothing, ({ run, outbox }) => {
    const derived = ({ effect: { kind } }: Obligation) => !STAYS.has(kind) && !NEWS.has(kind);
    const wanted = wants(undefined, run).effects.filter(derived).map(named).toSorted();
    const waiting = outbox.filter(derived).map(named).toSorted();
    assert(
      wanted.join() === waiting.join(),
      `${run.stage.kind} wants ${wanted.join()}, but ${waiting.join()} waits`,
    );
  });
  expect(found).toBeUndefined();
});

test("something always moves next: an effect, a deadline, the queue or a person", () => {
  const found = broken(nothing, (world) => {
    const next = whoMoves(world.run, world);
    assert(next !== undefined, `nothing moves: ${JSON.stringify(world.run.stage)}`);
  });
  expect(found).toBeUndefined();
});

/** Everyone does their part: effects succeed, people answer, the agent commits and writes. */
function goodWorld(world: RunWorld): void {
  const { run, now: at } = world;
  const { epoch, stage, session } = run;
  const by = "ada";
  if (run.stopped !== undefined) happen(world, { kind: "run-retried", at, by });
  else if (run.held !== undefined) happen(world, { kind: "run-released", at, by });
  else if (isLive(session) && session.attached) {
    happen(world, { kind: "session-seen", at, epoch, attached: false });
  } else if (world.outbox.length > 0) carryOut(world, 4, false);
  else if (stage.kind === "escalated") {
    happen(world, { kind: "escalation-answered", at, by, text: "Go on." });
  } else if (stage.kind === "reviewing") {
    const about = { id: "last", author: by, head: stage.head, body: "", createdAt: at };
    const review = { ...about, verdict: "approve" as const, dismissed: false };
    happen(world, { kind: "reviews-observed", at, reviews: [review] });
  } else if (stage.kind === "queued") happen(world, otherEvent(world, { action: 9, detail: 0 }));
  else if (stage.kind === "working" && session?.status === "live") {
    happen(world, agentEvent(world, { action: 0, detail: 6 }, epoch));
  } else passTime(world, HOUR_MS);
}

test("once faults stop, every run comes to an end", () => {
  const found = broken(nothing, (world) => {
    for (let step = 0; step < 100 && world.run.stage.kind !== "ended"; step += 1) goodWorld(world);
    assert(world.run.stage.kind === "ended", `still ${JSON.stringify(world.run.stage)}`);
  });
  expect(found).toBeUndefined();
});
