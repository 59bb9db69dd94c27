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
  const all = runs.filter(isActive).flatMap(deadlinesOf);
  const [soonest] = all.filter(({ at }) => at > now).toSorted((a, b) => a.at - b.at);
  return soonest === undefined ? null : { ...soonest, at: iso(soonest.at) };
}

type Deadline = { project: string; what: string; at: number };

function deadlinesOf(run: Run): Deadline[] {
  const { project, respawnAt, stage } = run;
  const ref = shownRef(run);
  const due = (what: string, at: number | undefined): Deadline[] =>
    at === undefined ? [] : [{ project, what, at }];
  return [
    ...due(`${ref} starts again`, respawnAt),
    ...due(`the agent of ${ref} reaches its time limit`, lifeDeadline(run)),
    ...(stage.kind === "checking" ? due(`CI of ${ref} times out`, stage.deadline) : []),
    ...(stage.kind === "reviewing" ? due(`the review of ${ref} times out`, stage.deadline) : []),
    ...(stage.kind === "escalated" ? due(`${ref} is given up`, stage.escalation.deadline) : []),
  ];
}
