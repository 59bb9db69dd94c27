// What came of a check: a verdict on a prefix or on the bare target. Only a check that is still
// under way counts; the outcome of an abandoned one changes nothing.
import { firstFailure, type CheckOutcome, type CiGateResult } from "../check.ts";
import type { Context } from "../context.ts";
import type { Commit } from "../ids.ts";
import { failureOf } from "../target-proof.ts";
import { proofBroke, provenBefore } from "./prove.ts";
import { record, type Queue, type Slot } from "./queue.ts";
import { spent } from "./savings.ts";
import { checkBroke, trouble } from "./trouble.ts";

type Checked = { ref: string; outcome: CheckOutcome };

export function candidateChecked(queue: Queue, event: Checked, context: Context): Queue {
  const index = queue.stack.findIndex((slot) => slot.test?.ref === event.ref);
  const slot = queue.stack[index];
  if (slot === undefined) return queue;
  const { outcome } = event;
  const entries = queue.stack.slice(0, index + 1).map((other) => other.entry);
  const again = slot.verdict?.kind === "red";
  const noted = noteCheck(queue, { entries, commit: slot.commit, outcome, again }, context.at);
  if (outcome.kind === "infra") {
    return checkBroke(noted, { position: index + 1, message: outcome.message }, context);
  }
  const verdict: Slot["verdict"] =
    outcome.kind === "passed"
      ? { kind: "green" }
      : { kind: "red", outcome, confirmed: again || outcome.remembered };
  // One by one a flake takes a second run as well.
  const isCounted = !outcome.remembered && !(again && outcome.kind === "passed");
  return {
    ...(isCounted ? spent(noted) : noted),
    // A remembered result says nothing about the present state of the CI infrastructure.
    trouble: outcome.remembered ? noted.trouble : undefined,
    stack: noted.stack.map((other) =>
      other === slot ? { ...slot, test: undefined, verdict } : other,
    ),
  };
}

export function targetChecked(queue: Queue, event: Checked, context: Context): Queue {
  const { target } = queue;
  if (target?.test?.ref !== event.ref) return queue;
  const { outcome } = event;
  const { commit = target.commit } = target.test;
  const noted = noteCheck(queue, { entries: [], commit, outcome }, context.at);
  const failure = failureOf(commit, outcome, queue.policy?.ci.gates ?? []);
  const given: Queue = { ...noted, target: { ...target, test: undefined } };
  if (outcome.kind === "infra") {
    return queue.proofAsked !== undefined && failure !== undefined
      ? proofBroke(given, failure, context)
      : trouble(given, outcome.message, context);
  }
  if (commit !== target.commit) {
    return failure === undefined ? provenBefore(given, context) : given;
  }
  const known =
    failure === undefined ? { proof: "green" as const } : { proof: "red" as const, failure };
  return { ...noted, target: { commit, test: undefined, ...known } };
}

const timeOf = (results: CiGateResult[]): number =>
  results.reduce((sum, { durationMs }) => sum + durationMs, 0);

function noteCheck(
  queue: Queue,
  checked: { entries: number[]; commit: Commit; outcome: CheckOutcome; again?: boolean },
  at: number,
): Queue {
  const { outcome, entries, commit, again = false } = checked;
  const failure = outcome.kind === "infra" ? undefined : firstFailure(outcome.results);
  return record(queue, {
    kind: "checked",
    at,
    entries,
    commit,
    tree: outcome.tree,
    result: outcome.kind,
    // Pass after fail on the same tree.
    flaky: outcome.kind === "passed" && (outcome.flaky || again),
    remembered: outcome.kind !== "infra" && outcome.remembered,
    detail: outcome.kind === "infra" ? outcome.message : failure?.gate,
    logFile: outcome.kind === "infra" ? outcome.logFile : failure?.logFile,
    ...(outcome.kind === "infra" ? {} : { tookMs: timeOf(outcome.results) }),
  });
}
