// What the last line of `pawl run` and `pawl top` says: what this day brought and cost, and which wait
// ends next.
import type { StatusView } from "../../api/runs.ts";
import { dayOf, NOTHING } from "../../core/budget.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import type { Project } from "../../core/project/project.ts";
import { isActive, lifeDeadline, shownRef, type Run } from "../../core/run/run.ts";
import { iso } from "./agents.ts";

type Today = NonNullable<StatusView["projects"][number]["today"]>;
type Next = NonNullable<StatusView["next"]>;

/** Of the UTC day, as budgets have it. `landed` is 50 at most: the queue remembers no more. */
export function todayOf({ name, spending }: Project, queues: readonly Queue[], now: number): Today {
  const day = dayOf(now);
  const { usd, tokens, estimatedUsd = 0 } = spending?.day === day ? spending.total : NOTHING;
  const landed = (queues.find(({ project }) => project === name)?.past ?? []).filter(
    ({ end, leftAt }) => end.kind === "merged" && dayOf(leftAt) === day,
  );
  return { usd, estimated_usd: estimatedUsd, tokens, landed: landed.length };
}

/** What happens by itself if nothing else does; internal looks are left out. */
export function nextDeadline(runs: readonly Run[], now: number): Next | null {
  let soonest: { run: Run; end: End; at: number } | undefined;
  for (const run of runs) {
    if (!isActive(run)) continue;
    for (const [end, at] of endsOf(run)) {
      const isSooner = at !== undefined && at > now && !(soonest !== undefined && soonest.at <= at);
      if (isSooner) soonest = { run, end, at };
    }
  }
  if (soonest === undefined) return null;
  const { run, end, at } = soonest;
  return { project: run.project, what: WORDS[end](shownRef(run)), at: iso(at) };
}

/** Put into words only for the one that comes next: hundreds of runs have several each. */
const WORDS = {
  respawn: (ref: string) => `${ref} starts again`,
  life: (ref: string) => `the agent of ${ref} reaches its time limit`,
  checking: (ref: string) => `CI of ${ref} times out`,
  reviewing: (ref: string) => `the review of ${ref} times out`,
  escalated: (ref: string) => `${ref} is given up`,
};

type End = keyof typeof WORDS;

function endsOf(run: Run): [End, number | undefined][] {
  const { respawnAt, stage } = run;
  const ends: [End, number | undefined][] = [
    ["respawn", respawnAt],
    ["life", lifeDeadline(run)],
  ];
  if (stage.kind === "checking" || stage.kind === "reviewing") {
    ends.push([stage.kind, stage.deadline]);
  }
  if (stage.kind === "escalated") ends.push([stage.kind, stage.escalation.deadline]);
  return ends;
}
