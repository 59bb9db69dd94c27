// An agent asks a person: with `PHASE:escalate` or with `help` in its spool. A person may be asked
// something else already; then both questions are open, as one, and nothing that was to be tried
// again goes on before the agent has its answer.
import type { Context } from "../context.ts";
import { escalate } from "./escalate.ts";
import type { Run } from "./run.ts";

/** An agent that asks in a loop fills no inbox: further questions are only added to the text. */
const ANNOUNCED_MAX = 10;
const REASON_MAX = 4_000;
const BETWEEN = "; still open: ";

type Asked = { reason: string; stays?: true };

export function agentAsks(run: Run, asked: Asked, context: Context): Run {
  if (run.stage.kind !== "escalated") return escalate(run, asked, context);
  const { escalation } = run.stage;
  const stays = asked.stays === true || escalation.stays === true ? { stays: true as const } : {};
  if (escalation.reason.split(BETWEEN).includes(asked.reason)) {
    return { ...run, stage: { kind: "escalated", escalation: { ...escalation, ...stays } } };
  }
  const reason = `${asked.reason}${BETWEEN}${escalation.reason}`.slice(0, REASON_MAX);
  const count = (escalation.asked ?? 1) + 1;
  const both = { reason, ...stays, asked: count };
  if (count > ANNOUNCED_MAX) {
    return { ...run, stage: { kind: "escalated", escalation: { ...escalation, ...both } } };
  }
  return escalate({ ...run, stage: { kind: "working" } }, both, context);
}
