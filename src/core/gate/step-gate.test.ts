import { expect, test } from "vitest";
import { emptyOutput, type Output } from "../effect.ts";
import type { Event } from "../event.ts";
import { projectName } from "../ids.ts";
import type { Gate, Waiter } from "./gate.ts";
import type { GateSpec } from "./spec.ts";
import { gateDeadline, stepGate } from "./step-gate.ts";

const PROJECT = projectName("toy");
const STEP: Waiter = { kind: "step", formula: "formula:toy/f.1", key: "k1" };
const DEV: Waiter = { kind: "identity", identity: "dev-42" };

class World {
  gate: Gate;
  output: Output = emptyOutput();

  constructor(spec: GateSpec, waiters: Waiter[] = [STEP]) {
    this.gate = this.tell(undefined, requested(spec, waiters));
  }

  tell(gate: Gate | undefined, event: Event): Gate {
    this.output = emptyOutput();
    const next = stepGate(gate, event, this.output);
    if (next === undefined) throw new Error("no gate");
    this.gate = next;
    return next;
  }

  hear(event: Event): this {
    this.tell(this.gate, event);
    return this;
  }

  told(): unknown[] {
    return this.output.tells.map(({ to, event }) => [
      to,
      event.kind,
      ...("met" in event ? [event.met] : []),
    ]);
  }

  effects(): string[] {
    return this.output.effects.map(({ effect }) => effect.kind);
  }
}

const requested = (spec: GateSpec, waiters: Waiter[], key = "k1"): Event => ({
  kind: "gate-requested",
  at: 0,
  project: PROJECT,
  id: "g1",
  key,
  spec,
  title: "the thing",
  by: "ada",
  waiters,
  escalateMs: 100_000,
});

const seen = (look: number, met: boolean, over = false): Event => ({
  kind: "gate-observed",
  at: 1000,
  look,
  met,
  over,
  text: "so it is",
});

test("a timer closes when it is due, and wakes its waiters in the same step", () => {
  const world = new World({ kind: "timer", durationMs: 5000 }, [STEP, DEV]);
  expect(gateDeadline(world.gate)).toBe(5000);
  world.hear({ kind: "deadline-passed", at: 4999 });
  expect(world.gate.closed).toBeUndefined();
  world.hear({ kind: "deadline-passed", at: 5000 });
  expect(world.gate.closed).toMatchObject({
    met: true,
    reason: "the time it waited for was reached",
  });
  expect(world.told()).toEqual([
    ["formula:toy/f.1", "gate-passed", true],
    ["mail:toy", "mail-sent"],
  ]);
  expect(gateDeadline(world.gate)).toBeUndefined();
});

test("a person hears of their gate when it opens, and again when it stays open", () => {
  const world = new World({ kind: "human", question: "Ship it?" });
  expect(world.effects()).toEqual(["notify"]);
  expect(gateDeadline(world.gate)).toBe(100_000);
  world.hear({ kind: "deadline-passed", at: 100_000 });
  expect([world.gate.overdue, world.gate.closed, world.effects()]).toEqual([
    true,
    undefined,
    ["notify"],
  ]);
  // A person is reminded once; the gate stays open until it is answered.
  const remindAt = 100_000 + 6 * 3_600_000;
  expect(gateDeadline(world.gate)).toBe(remindAt);
  expect(world.hear({ kind: "deadline-passed", at: remindAt }).effects()).toEqual(["notify"]);
  expect(gateDeadline(world.gate)).toBeUndefined();
  // After it was deferred, it is asked about again after its first time limit.
  world.hear({ kind: "gate-put-off", at: remindAt + 1, by: "ada" });
  expect([world.gate.overdue, gateDeadline(world.gate)]).toEqual([false, remindAt + 100_001]);
  const again = world.hear({ kind: "deadline-passed", at: remindAt + 100_001 });
  expect([again.gate.overdue, again.effects()]).toEqual([true, ["notify"]]);
  const slept = again.hear({ kind: "clock-jumped", at: remindAt + 100_002, gapMs: 1000 });
  expect(gateDeadline(slept.gate)).toBe(remindAt + 100_001 + 6 * 3_600_000 + 1000);
  world.hear({ kind: "gate-closed", at: 2 * remindAt, by: "ada", met: false, reason: "no" });
  expect(world.told()).toEqual([["formula:toy/f.1", "gate-passed", false]]);
  expect(world.hear(seen(0, true)).gate.closed?.met).toBe(false);
  expect(world.told()).toEqual([]);
});

test("what is outside is looked at, again and again, until it is there or cannot come", () => {
  const world = new World({ kind: "pr", pr: "7" });
  expect(world.effects()).toEqual(["look-at-gate"]);
  expect(gateDeadline(world.gate)).toBe(100_000);
  world.hear(seen(1, false));
  expect([world.gate.seen, gateDeadline(world.gate)]).toEqual(["so it is", 31_000]);
  world.hear({ kind: "deadline-passed", at: 31_000 });
  expect(world.effects()).toEqual(["look-at-gate"]);
  expect(world.hear(seen(0, false)).gate.lookAt).toBeUndefined();
  world.hear(seen(2, false, true));
  expect(world.gate.closed).toMatchObject({ met: false, by: "pawl" });
});

test("looks come less often when nothing comes, a command's as often as it says", () => {
  const world = new World({ kind: "issue", issue: "7" });
  for (let look = 1; look <= 10; look += 1) {
    world.hear(seen(look, false)).hear({ kind: "deadline-passed", at: 31_000 });
  }
  expect(world.hear(seen(11, false)).gate.lookAt).toBe(301_000);
  const command = new World({ kind: "command", command: "x", everyMs: 7000, timeoutMs: 1 });
  expect(command.hear(seen(1, false)).gate.lookAt).toBe(8000);
  command.hear(seen(1, true));
  expect(command.effects()).toEqual(["clear-gate"]);
});

test("a look that fails for good is followed by another", () => {
  const world = new World({ kind: "pr", pr: "7" });
  const [obligation] = world.output.effects;
  const failed = { obligation: obligation!, code: "x", message: "the forge is away" };
  world.hear({ kind: "effect-failed", at: 1000, failed });
  expect([world.gate.seen, world.gate.lookAt]).toEqual(["the forge is away", 31_000]);
});

test("mail and the vault say themselves what has come", () => {
  const world = new World({ kind: "vault", item: "v1" });
  expect(world.output.effects).toEqual([]);
  world.hear({
    kind: "gate-told",
    at: 5,
    by: "ada",
    via: "vault",
    met: true,
    text: "approved",
  });
  expect(world.gate.closed).toEqual({ at: 5, by: "ada", met: true, reason: "approved" });
});

test("a gate that is withdrawn is cancelled, and tells no waiter", () => {
  const world = new World({ kind: "ci", of: "b" });
  world.hear({ kind: "gate-withdrawn", at: 5, key: "other", why: "no" });
  expect(world.gate.closed).toBeUndefined();
  world.hear({ kind: "gate-withdrawn", at: 5, key: "k1", why: "no" });
  expect([world.told(), world.output.cancelled]).toEqual([[], ["gate:toy/g1:look:1"]]);
});

test("asked for again while it is open it is the same; once closed it opens again for another", () => {
  const world = new World({ kind: "ci", of: "b" });
  const before = world.gate;
  expect(world.hear(requested({ kind: "ci", of: "c" }, [], "k2")).gate).toBe(before);
  world.hear(seen(1, true));
  const over = world.gate;
  expect(world.hear(requested({ kind: "ci", of: "b" }, [STEP], "k1")).gate).toBe(over);
  world.hear(requested({ kind: "ci", of: "c" }, [STEP], "k2"));
  expect(world.gate).toMatchObject({ closed: undefined, looks: 2, key: "k2" });
  expect(world.output.effects.map(({ key }) => key)).toEqual(["gate:toy/g1:look:2"]);
});

test("a clock that jumped moves deadlines, not a timer's end", () => {
  const world = new World({ kind: "timer", durationMs: 5000 });
  world.hear({ kind: "clock-jumped", at: 0, gapMs: 50 });
  expect([world.gate.dueAt, world.gate.escalateAt]).toEqual([5000, 100_050]);
});

test("a fact about nothing makes nothing", () => {
  expect(stepGate(undefined, seen(1, true), emptyOutput())).toBeUndefined();
});

test.each(["human", "vault"] as const)(
  "no letter closes a %s gate; who wrote hears of it",
  (kind) => {
    const spec = kind === "human" ? { kind, question: "Ship it?" } : { kind, item: "v1" };
    const told = { kind: "gate-told", at: 5, via: "mail", met: true, text: "go" } as const;
    for (const [by, to] of [
      ["dev-4", "dev-4"],
      ["ada", "operator"],
    ] as const) {
      const world = new World(spec).hear({ ...told, by });
      expect(world.gate.closed).toBeUndefined();
      expect(world.output.tells).toMatchObject([
        { to: "mail:toy", event: { kind: "mail-sent", letter: { to } } },
      ]);
    }
  },
);
