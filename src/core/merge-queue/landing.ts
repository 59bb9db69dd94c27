// What becomes of a landing. The target moves only here, and only to a commit whose exact tree
// passed; an entry is merged only when its landing says so.
import type { Context } from "../context.ts";
import type { LandingOutcome } from "./entry.ts";
import { learned } from "./estimate.ts";
import { entryById, record, withEntries, type Landing, type Queue, type Stop } from "./queue.ts";
import { earned } from "./savings.ts";
import { returnEntry, merged, withdrawn } from "./settle.ts";
import { cutStack, overtake, retarget } from "./stack.ts";
import { stopQueue } from "./stop.ts";

/** A forge that waits for its own checks is asked again, ever more slowly, for as long as CI may take. */
const FORGE_RETRY_MS = 10_000;
const FORGE_RETRY_MAX_MS = 120_000;
const FORGE_WAIT_MAX_MS = 1_800_000;
/** How soon a landing that the user's checkout holds up is tried again; doubles up to the limit. */
const HELD_RETRY_MS = 10_000;
const HELD_RETRY_MAX_MS = 300_000;

export function landingFinished(
  queue: Queue,
  event: { ref: string; outcome: LandingOutcome },
  context: Context,
): Queue {
  const { landing } = queue;
  if (landing === undefined || landing.ref !== event.ref) return queue;
  const { outcome } = event;
  if (outcome.kind === "landed") return landed(queue, landing, { ...context, ...outcome });
  const why = whyOf(outcome);
  const noted = record(queue, {
    kind: "landing-failed",
    at: context.at,
    entries: landing.entries,
    commit: landing.commit,
    why,
  });
  return leaveThose(ended(noted, landing, { ...context, outcome }), landing, context.at);
}

function whyOf(outcome: Exclude<LandingOutcome, { kind: "landed" }>): string {
  if (outcome.kind === "target-moved") return "another writer moved the target";
  return outcome.kind === "overtaken" ? "another writer pushed to the branch" : outcome.why;
}

function ended(
  queue: Queue,
  landing: Landing,
  context: Context & { outcome: Exclude<LandingOutcome, { kind: "landed" }> },
): Queue {
  const { outcome } = context;
  const next: Queue = { ...queue, landing: undefined };
  switch (outcome.kind) {
    case "target-moved":
      // Its policy may be another one: nothing is built before the survey has read it.
      return { ...overtake(next, outcome.target, context), policy: undefined, surveyAt: 0 };
    case "one-by-one":
      // The batch was tested as one; each of them has to pass by itself before it lands by itself.
      return { ...cutStack(next, 0), oneByOne: true };
    case "overtaken":
      return overtaken(next, landing, { ...context, outcome });
    case "waiting":
      return forgeWaits(next, outcome.why, context);
    case "held":
      return held(next, landing, { ...outcome, at: context.at });
    case "rejected":
      return stopQueue(
        next,
        { kind: "rejected", why: `the landing was refused: ${outcome.why}`, hint: outcome.hint },
        context,
      );
  }
}

/** Its author merges the new commits; the other entries are built again without it. */
function overtaken(
  queue: Queue,
  { entries }: Landing,
  context: Context & { outcome: Extract<LandingOutcome, { kind: "overtaken" }> },
): Queue {
  const { outcome: reason } = context;
  return entries.reduce(
    (next, entry) => returnEntry(next, { entry, reason }, context),
    cutStack(queue, 0),
  );
}

function landed(
  queue: Queue,
  landing: Landing,
  context: Context & Extract<LandingOutcome, { kind: "landed" }>,
): Queue {
  const { entries } = landing;
  const { commit, by, untested } = context;
  const {
    oneByOne: _before,
    overtaken: _races,
    inDoubt: _doubt,
    serverSaid: _said,
    ...rest
  } = queue;
  const newRules = entries.some((id) => entryById(queue, id)?.changesPolicy === true);
  const next: Queue = {
    ...rest,
    ...(by === "forge" && { oneByOne: true as const }),
    landing: undefined,
    trouble: undefined,
    target: { commit, proof: "green", test: undefined },
    stack: newRules ? [] : queue.stack.slice(entries.length),
    building: newRules ? undefined : queue.building,
    rate: learned(queue.rate, { landed: entries.length, blamed: 0 }),
    policy: newRules ? undefined : queue.policy,
    surveyAt: newRules ? 0 : queue.surveyAt,
    survey: queue.survey === undefined ? undefined : { ...queue.survey, stale: true },
  };
  const noted = record(next, { kind: "landed", at: context.at, entries, commit });
  // A forge may have made a commit of its own: then what is stacked does not stand on it.
  const based = commit === landing.commit ? noted : retarget(noted, commit);
  // A forge's own commit is the only one that is on the target for certain.
  const tips = commit === landing.commit ? (landing.tips ?? []) : [];
  const each = entries.map((entry, index) => ({ entry, commit: tips[index] ?? commit }));
  const left = merged(earned(based, entries.length), each, context);
  return untested === undefined ? left : stopQueue(left, notTested(untested), context);
}

/** It is on the target and stays there: a person has to look at it. */
const notTested = (why: string): Omit<Stop, "at"> => ({
  kind: "rejected",
  why: `what the forge merged is not what was tested: ${why}`,
  hint: "check whether the target passes its gates, then run `pawl merge-queue resume`",
});

function forgeWaits(queue: Queue, why: string, context: Context): Queue {
  const { at } = context;
  const { count = 0, forgeSince = at } = queue.trouble ?? {};
  const waitedMs = at - forgeSince;
  const retryMs = Math.min(Math.max(FORGE_RETRY_MS, waitedMs / 2), FORGE_RETRY_MAX_MS);
  const waiting = { ...queue, trouble: { count, message: why, until: at + retryMs, forgeSince } };
  if (waitedMs < FORGE_WAIT_MAX_MS) return waiting;
  const hint = "look at the PR on the forge, then run `pawl merge-queue resume`";
  return stopQueue({ ...waiting, trouble: undefined }, { kind: "rejected", why, hint }, context);
}

/** These wait for the user's checkout and go by themselves from now on; the others go ahead. */
function held(
  queue: Queue,
  landing: Landing,
  hold: { why: string; paths: string[]; at: number },
): Queue {
  if (hold.paths.length === 0) {
    // Not some files but the whole checkout is in the way: no other entry could land either.
    const count = queue.trouble?.count ?? 0;
    return { ...queue, trouble: { count, message: hold.why, until: hold.at + HELD_RETRY_MS } };
  }
  const apart = cutStack(queue, 0);
  if (landing.entries.length > 1) {
    // Which of them writes those files shows when they go one by one, at once; the rest can land.
    return withEntries(apart, landing.entries, (entry) => ({ ...entry, solo: true }));
  }
  return withEntries(apart, landing.entries, (entry) => ({
    ...entry,
    solo: true,
    holds: entry.holds + 1,
    obstacle: `${hold.why}: ${someOf(hold.paths)}`,
    notBefore: hold.at + Math.min(HELD_RETRY_MS * 2 ** entry.holds, HELD_RETRY_MAX_MS),
  }));
}

/** Cancelled while the landing was under way, and the landing did not happen. */
function leaveThose(queue: Queue, landing: Landing, at: number): Queue {
  return landing.entries.reduce((next, id) => {
    const entry = entryById(next, id);
    return entry?.leaving === undefined ? next : withdrawn(next, entry, { why: entry.leaving, at });
  }, queue);
}

const PATHS_SHOWN = 5;

function someOf(paths: string[]): string {
  const more = paths.length - PATHS_SHOWN;
  return paths.slice(0, PATHS_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
