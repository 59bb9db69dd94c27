// `pawl merge-queue list` where no daemon runs: the same view as the API's.
import type { QueueView } from "../../api/queue.ts";
import { queueAggregate } from "../../core/ids.ts";
import { assert } from "../../lib/assert.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { projectAsked, type Asked } from "../routes/context.ts";
import { queueView } from "../views/queue.ts";
import { readJournal } from "./read-journal.ts";

export const readQueue = (place: FactoryPlace, asked: Asked): Promise<QueueView> =>
  readJournal(place, async ({ store, paths }) => {
    const { name } = await projectAsked({ store }, asked);
    const stored = await store.load(queueAggregate(name));
    assert(stored?.state.kind === "queue", `project ${name} has no merge queue`);
    return queueView(stored.state, { paths });
  });
