// Where the output of a check is: of a run's last check, its set-up, an entry of the merge queue, or
// the bare target.
import { firstFailure, type CheckOutcome } from "../../core/check.ts";
import type { Entry, PastEntry, Queue } from "../../core/merge-queue/queue.ts";
import type { Run } from "../../core/run/run.ts";

export type KeptLog = { gate: string; logFile: string | undefined; tail: string };

/** All gates of the last check, or the set-up that kept them from running. */
export const logsOfRun = ({ check }: Run): KeptLog[] =>
  check === undefined ? [] : logsOf(check.outcome, "");

/** What the queue found with an entry. */
export function logsOfEntry({ stack, records }: Queue, entry: Entry | PastEntry): KeptLog[] {
  if ("end" in entry && entry.end.kind === "returned" && entry.end.reason.kind === "tests") {
    return logsOf(entry.end.reason.outcome, IN_QUEUE);
  }
  const verdict = stack.find((slot) => slot.entry === entry.id)?.verdict;
  if (verdict?.kind === "red") return logsOf(verdict.outcome, IN_QUEUE);
  const fact = records.findLast(
    (one) => one.kind === "checked" && one.entries.includes(entry.id) && one.logFile !== undefined,
  );
  if (fact?.kind !== "checked") return [];
  const { detail = "check", logFile } = fact;
  return [{ gate: `${detail}${IN_QUEUE}`, logFile, tail: "" }];
}

const IN_QUEUE = " (merge queue)";

export function logsOfTarget({ target }: Queue): KeptLog[] {
  const { failure } = target ?? {};
  if (failure === undefined) return [];
  return [{ gate: "target", logFile: failure.logFile, tail: `${failure.why}\n${failure.logTail}` }];
}

function logsOf(outcome: CheckOutcome, where: string): KeptLog[] {
  if (outcome.kind === "infra") {
    const tail = [outcome.message, outcome.logTail].filter((text) => text !== "").join("\n");
    return [{ gate: `set-up${where}`, logFile: outcome.logFile, tail }];
  }
  const failed = firstFailure(outcome.results);
  // In the queue only what failed is of interest: the rest passed for the branch before.
  const shown = where !== "" && failed !== undefined ? [failed] : outcome.results;
  return shown.map(({ gate, logFile, logTail }) => {
    return { gate: `${gate}${where}`, logFile, tail: logTail };
  });
}
