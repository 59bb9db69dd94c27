// Answers for a program that drives the steps of a story: what the sprint says, whether to try
// again, when to ask a person. Counts come from the ledger unless the caller states them.
import { escalation, nextAttempt, POLICY } from "../../core/monitoring/attempts.ts";
import type { Escalation, NextAttempt, Policy } from "../../core/monitoring/attempts.ts";
import { findStory, storiesOf } from "../../core/monitoring/sprint.ts";
import { attemptsOf, note, readLedger } from "./ledger.ts";
import type { Environment, MonitorPlace } from "./monitor-place.ts";
import { readSprint } from "./story-files.ts";

export async function sprintStatus(root: string, story: string): Promise<Record<string, unknown>> {
  const entries = await readSprint(root);
  if (entries === undefined) {
    const reason = "sprint-status.yaml not found";
    return { found: false, story, status: "unknown", done: false, reason };
  }
  const found = findStory(entries, story);
  if (found === undefined) return { found: false, story, status: "not_found", done: false };
  return { found: true, story: found.key, status: found.status, done: found.status === "done" };
}

export async function epicStatus(root: string, epic: string): Promise<Record<string, unknown>> {
  const stories = storiesOf((await readSprint(root)) ?? [], epic);
  if (stories.length === 0) return { ok: false, epic, reason: "no_stories_found" };
  const done = stories.filter(({ status }) => status === "done").length;
  const allStoriesDone = done === stories.length;
  const counts = { total: stories.length, done, count: stories.length };
  return { ok: true, epic, allStoriesDone, ...counts, stories: stories.map(({ key }) => key) };
}

type Task = { step: string; story: string };

export async function shouldEscalate(
  place: MonitorPlace,
  request: { trigger: string; context: string; task: Task | undefined },
): Promise<Escalation> {
  const { trigger, context, task } = request;
  const policy = policyOf(place.env);
  const attempts = task === undefined ? [] : attemptsOf(await readLedger(place.ledger), task);
  const crashes = attempts.filter(({ finalState }) => finalState === "crashed").length;
  const counted = trigger === "session-crash" ? Math.max(0, crashes - 1) : attempts.length;
  const answer = escalation(trigger, context, { counted, policy });
  if (answer.escalate && task !== undefined) await noteEscalated(place, task);
  return answer;
}

export async function whatNext(
  place: MonitorPlace,
  task: Task,
  agents: { primary: string; fallback: string | undefined },
): Promise<NextAttempt> {
  const attempts = attemptsOf(await readLedger(place.ledger), task);
  const policy = policyOf(place.env);
  const answer = nextAttempt(task.step, attempts, { ...agents, policy });
  if (["escalate", "defer"].includes(answer.action)) await noteEscalated(place, task);
  return answer;
}

const noteEscalated = (place: MonitorPlace, { step, story }: Task): Promise<void> =>
  note(place.ledger, { kind: "escalated", at: Date.now(), step, story });

function policyOf(env: Environment): Policy {
  const count = (name: string, otherwise: number): number =>
    /^\d+$/.test(env[name] ?? "") ? Number(env[name]) : otherwise;
  return {
    attemptsMax: POLICY.attemptsMax,
    crashRetriesMax: count("MAX_CRASH_RETRIES", POLICY.crashRetriesMax),
    reviewCyclesMax: count("MAX_REVIEW_CYCLES", POLICY.reviewCyclesMax),
  };
}
