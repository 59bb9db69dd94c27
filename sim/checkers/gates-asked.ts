// A gate that waits longer than it was given becomes a question to a person, soon, while a daemon
// runs. The limit is computed here a second time, not taken from the core's deadlines.
import type { Gate } from "../../src/core/gate/gate.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

const LOOK_MS = 5 * 60_000;
/** Slow calls and a full disk may hold it up for this long. */
const SLACK_MS = 2 * 3_600_000;
const TROUBLE = ["daemon-killed", "daemon-started", "effect-refused"];

export function gatesAsked(world: World): Checker {
  const name = "gates-asked";
  const gates = new Map<string, { gate: Gate; since: number }>();
  let troubleAt = 0;

  function journaled(id: string, gate: Gate): void {
    const known = gates.get(id);
    const isSame = known?.gate.openedAt === gate.openedAt;
    if (gate.closed === undefined) {
      gates.set(id, { gate, since: isSame ? known.since : world.clock.monotonicMs() });
    } else gates.delete(id);
  }

  /** From then on it has its full time again. */
  function putOff(id: string): void {
    const known = gates.get(id);
    if (known !== undefined) known.since = world.clock.monotonicMs();
  }

  function look(): void {
    const now = world.clock.monotonicMs();
    for (const [id, { gate, since }] of gates) {
      const { overdue, escalateMs } = gate;
      if (overdue || escalateMs === undefined || now - troubleAt <= SLACK_MS) continue;
      if (now - since > escalateMs + SLACK_MS) world.fail(name, `no person is asked about ${id}`);
    }
    world.clock.after(LOOK_MS, look);
  }

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      if (TROUBLE.includes(fact.kind)) troubleAt = world.clock.monotonicMs();
      if (fact.kind !== "journaled") return;
      for (const { id, state } of fact.journaled.states)
        if (state.kind === "gate") journaled(id, state);
      for (const { to, event } of fact.journaled.events)
        if (event.kind === "gate-put-off") putOff(to);
    },
  };
}
