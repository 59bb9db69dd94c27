// Every entry of a merge queue belongs to a run that still wants it to land.
import { queueAggregate } from "../../../core/ids.ts";
import type { Queue } from "../../../core/merge-queue/queue.ts";
import { isOver, type Run } from "../../../core/run/run.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";

export const queueCheck: Check = {
  id: "queue",
  title: "entries of the merge queue",
  run: async (inspection) => {
    const states = await inspection.states();
    const runs = await inspection.runs();
    return states.flatMap((state) =>
      state.kind === "queue" ? unwanted(inspection, state, runs) : [],
    );
  },
};

function unwanted(inspection: Inspection, queue: Queue, runs: Run[]): Trouble[] {
  const { writing, now } = inspection;
  const lost = queue.entries.filter(({ run: id }) => {
    if (id === undefined) return false;
    const run = runs.find((one) => one.project === queue.project && one.id === id);
    return run === undefined || isOver(run);
  });
  return lost.map(({ id, branch, run }) => ({
    key: `${queue.project} ${id}`,
    what: `entry ${id} (${branch}) of ${queue.project} waits for run ${run}, which has ended`,
    fix: {
      plan: `take entry ${id} out of the queue; the branch stays`,
      apply: async () => {
        const event = { kind: "entry-removed", at: now, entry: id, by: "doctor" } as const;
        await writing?.engine.loop.submit({ to: queueAggregate(queue.project), event });
      },
    },
  }));
}
