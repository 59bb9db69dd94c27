// For all events in any order: a question that an agent asks stays with a person until it is
// answered, and a run that a person stopped or holds does not land. Judged from the events alone.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  agentEvent,
  carryOut,
  happen,
  newRunWorld,
  otherEvent,
  type Chance,
  type RunWorld,
} from "../../../test/support/run-world.ts";
import { assert } from "../../lib/assert.ts";
import type { Event } from "../event.ts";
import { isActive, type Run } from "./run.ts";

const RUNS = 400;

const chances = fc.array(fc.record({ action: fc.nat(999), detail: fc.nat(999) }), {
  maxLength: 80,
  size: "max",
});

function takeChance(world: RunWorld, { action, detail }: Chance): void {
  const kind = action % 10;
  const rest = { action: Math.floor(action / 10), detail };
  if (kind < 5) carryOut(world, detail, kind === 4 && detail % 5 === 0);
  else if (kind < 8) happen(world, agentEvent(world, rest, world.run.epoch));
  else happen(world, otherEvent(world, rest));
}

function broken(newCheck: () => RunWorld["check"]): string | undefined {
  const property = fc.property(chances, fc.boolean(), (taken, required) => {
    const world = newRunWorld(newCheck(), required);
    for (const chance of taken) takeChance(world, chance);
  });
  const details = fc.check(property, { numRuns: RUNS });
  return details.failed ? (fc.defaultReportMessage(details) ?? "it failed") : undefined;
}

/** The agent's question, where this event is one that the run can take in. */
function questionIn(before: Run, event: Event): { text: string; by: "phase" | "help" } | undefined {
  if (!isActive(before) || !("epoch" in event)) return undefined;
  const { session } = before;
  if (event.epoch !== session?.epoch) return undefined;
  if (event.kind === "phase-observed" && session.phaseStamp !== event.stamp) {
    const asked = /^PHASE:escalate\nReason: (\S+)/.exec(event.text);
    return asked === null ? undefined : { text: asked[1] ?? "", by: "phase" };
  }
  if (event.kind !== "spool-received" || session.status !== "live") return undefined;
  const help = /"help".*"text":"([^"]*)"/.exec(event.text);
  return help === null ? undefined : { text: help[1] ?? "", by: "help" };
}

/** An agent that says that it is ready takes back what it asked in its phase file before. */
const claimsReady = (before: Run, event: Event): boolean =>
  event.kind === "phase-observed" &&
  event.epoch === before.session?.epoch &&
  event.stamp !== before.session.phaseStamp &&
  /^PHASE:(awaiting_ci|awaiting_review|done)\n/.test(event.text);

/** What is still to be answered after each event, as a person would keep it on paper. */
function notebook() {
  let open: { text: string; by: "phase" | "help" }[] = [];
  return (before: Run, event: Event): string[] => {
    const asked = questionIn(before, event);
    const isAnswer = event.kind === "escalation-answered" || event.kind === "run-retried";
    if (isAnswer && before.stage.kind === "escalated") open = [];
    else if (claimsReady(before, event)) open = open.filter(({ by }) => by === "help");
    else if (asked !== undefined) open = [...open, asked];
    return open.map(({ text }) => text);
  };
}

test("no order of events loses a question of the agent, or lands its work before the answer", () => {
  const found = broken(() => {
    const note = notebook();
    return ({ before, event, run, output }) => {
      const open = note(before, event);
      // What was on its way onto the target when the agent asked is there now.
      if (open.length === 0 || !isActive(run)) return;
      const shown = run.stage.kind === "escalated" ? run.stage.escalation.reason : "";
      for (const text of open) assert(shown.includes(text), `${text} is lost by ${event.kind}`);
      const enters = output.tells.some((told) => told.event.kind === "entry-requested");
      assert(!enters, `${event.kind} sent it to the queue with an open question`);
    };
  });
  expect(found).toBeUndefined();
});

test("a run that a person stopped or holds is not in the merge queue", () => {
  const found = broken(() => {
    let isQueued = false;
    return ({ event, run, output }) => {
      for (const told of output.tells) {
        if (told.event.kind === "entry-requested") isQueued = true;
        if (told.event.kind === "entry-withdrawn") isQueued = false;
      }
      if (event.kind === "entry-landed" || event.kind === "entry-returned") isQueued = false;
      const isTheirs = run.stopped !== undefined || run.held !== undefined;
      assert(!isTheirs || !isQueued, `after ${event.kind} it is queued`);
    };
  });
  expect(found).toBeUndefined();
});
