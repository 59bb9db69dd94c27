// `pawl why` where no daemon runs: the same view as the API's.
import type { FactoryPlace } from "../host/factory.ts";
import { projectAsked, type Asked } from "../routes/context.ts";
import { whyView } from "../views/why.ts";
import { refreshed } from "./own-issues.ts";
import { readJournal } from "./read-journal.ts";

export const readWhy = (
  place: FactoryPlace,
  asked: Asked,
  ref: string,
): Promise<{ lines: string[] }> =>
  readJournal(place, async ({ store, now }) => {
    const project = await refreshed(store, await projectAsked({ store }, asked), now);
    return { lines: await whyView(store, { project, ref, now }) };
  });
