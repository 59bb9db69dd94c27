// How the last run of an issue ended, for the brief of the next one: without it, an agent would have
// to find the same failure again. Reads only.
import type { RunEvent } from "../../core/run/run-event.ts";
import { attemptOf } from "../../core/run/run.ts";
import { lastWorked } from "../views/find-runs.ts";
import type { EffectContext } from "./executor.ts";

type Claimed = Extract<RunEvent, { kind: "issue-claimed" }>;

export async function earlierAttempt(
  issue: number,
  { store, project }: EffectContext,
): Promise<Pick<Claimed, "attempt">> {
  const before = await lastWorked(store, project, issue);
  const attempt = before === undefined ? undefined : attemptOf(before);
  return attempt === undefined ? {} : { attempt };
}
