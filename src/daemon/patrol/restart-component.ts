// Starts a component of a project again, as a new daemon would, without touching any other.
import { queueAggregate, type ProjectName } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import { briefProject } from "../engine/brief-project.ts";
import type { Loop } from "../engine/loop.ts";
import type { Observe } from "../observing/observe.ts";
import type { Outbox } from "../engine/outbox.ts";
import type { Watch } from "../sessions/watch.ts";
import { runsAtWork } from "./look-around.ts";
import type { Patrols } from "./patrols.ts";

export type Parts = {
  store: Store;
  loop: Loop;
  clock: Clock;
  watch: Watch;
  observe: Observe;
  outbox: Outbox;
  patrols: Patrols;
};

export async function restartComponent(
  parts: Parts,
  wanted: { project: ProjectName; component: string },
): Promise<void> {
  const { project, component } = wanted;
  switch (component) {
    case "observer":
      return lookAnew(parts, project);
    case "merge-queue":
      await parts.loop.submit({
        to: queueAggregate(project),
        event: { kind: "daemon-started", at: parts.clock.now() },
      });
      return undefined;
    case "sessions":
      await renewSessions(parts, project);
      return undefined;
    case "outbox":
      return parts.outbox.resume();
    case "deacon":
    case "witness":
      parts.patrols.restart(project, component);
      return undefined;
    default:
      return undefined;
  }
}

/** Started again it is, also where what it looks at does not answer: that is counted elsewhere. */
async function lookAnew({ observe }: Parts, project: ProjectName): Promise<void> {
  try {
    await observe.restart(project);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}

async function renewSessions({ store, watch }: Parts, project: ProjectName): Promise<void> {
  const known = await briefProject(store, project);
  if (known === undefined) return;
  for (const run of await runsAtWork(store, known)) watch.renew(run);
}
