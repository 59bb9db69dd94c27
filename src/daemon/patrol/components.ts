// The parts of a project that must keep moving, and whether each gives a normal answer: looking
// outside, the merge queue, the watch over sessions, and the outbox.
import { rests } from "../../core/merge-queue/attention.ts";
import { queueDeadline } from "../../core/merge-queue/deadline.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import type { ComponentFact } from "../../core/patrol/patrol-event.ts";
import { projectOf, type ProjectName } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { OutboxRow } from "../../ports/store.ts";

/** If a look is overdue by this much, the observer has stopped. */
const LOOK_LATE_MS = 5 * 60_000;
/** If an effect is due for this long and not under way, the outbox has lost it. */
const OUTBOX_LATE_MS = 5 * 60_000;
/** Signs of life are noted every minute at least. */
const SEEN_LATE_MS = 10 * 60_000;

export type ComponentDeps = {
  now: number;
  project: ProjectName;
  runs: Run[];
  queue: Queue | undefined;
  outbox: OutboxRow[];
  /** Keys that are carried out or wait their turn in this daemon. */
  underWay: ReadonlySet<string>;
  observer: {
    lookedAt: number | undefined;
    /** How often it looks: where the forge tells by itself, once an hour. */
    everyMs: number;
    trouble: string | undefined;
  };
};

export const components = (deps: ComponentDeps): ComponentFact[] => [
  observer(deps),
  mergeQueue(deps),
  sessions(deps),
  outbox(deps),
];

const fact = (name: string, problem: string | undefined): ComponentFact => ({
  name,
  ok: problem === undefined,
  detail: problem ?? "",
});

function observer({ now, observer: one }: ComponentDeps): ComponentFact {
  const { lookedAt, everyMs, trouble } = one;
  const isLate = lookedAt !== undefined && now - lookedAt > everyMs + LOOK_LATE_MS;
  const late = isLate ? `the last check was ${seconds(now - lookedAt)} ago` : undefined;
  return fact("observer", trouble ?? late);
}

/** There are entries, it waits for no person, and nothing is under way or due: it has stopped. */
function mergeQueue({ queue, outbox: rows, project }: ComponentDeps): ComponentFact {
  if (queue === undefined || rests(queue)) return fact("merge-queue", undefined);
  const works = rows.some(
    ({ aggregate }) => aggregate.startsWith("queue:") && projectOf(aggregate) === project,
  );
  const isStuck = !works && queueDeadline(queue) === undefined;
  return fact(
    "merge-queue",
    isStuck ? `${queue.entries.length} entries wait, and nothing is under way` : undefined,
  );
}

function sessions({ now, runs }: ComponentDeps): ComponentFact {
  const unseen = runs.filter(
    ({ session }) => session?.status === "live" && now - session.lastSeen > SEEN_LATE_MS,
  );
  const names = unseen.map(({ identity }) => identity).join(", ");
  return fact("sessions", unseen.length === 0 ? undefined : `not seen: ${names}`);
}

function outbox({ now, outbox: rows, underWay, project }: ComponentDeps): ComponentFact {
  const late = rows.filter(
    ({ key, notBefore, aggregate }) =>
      projectOf(aggregate) === project && notBefore + OUTBOX_LATE_MS < now && !underWay.has(key),
  );
  const [first] = late;
  return fact(
    "outbox",
    first === undefined
      ? undefined
      : `${late.length} effects are due and are not carried out (${first.key})`,
  );
}

const seconds = (durationMs: number): string => `${Math.round(durationMs / 1000)} s`;
