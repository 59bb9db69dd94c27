// `pawl costs` where no daemon runs: the same view as the API's.
import { COST_KEYS } from "../../api/choices.ts";
import type { CostsView } from "../../api/costs.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { projectMeant, type Asked } from "../routes/context.ts";
import { costsView } from "../views/costs.ts";
import { readJournal } from "./read-journal.ts";

/** Undefined for words that the API refuses. */
export async function readCosts(
  place: FactoryPlace,
  asked: Asked,
  words: Record<string, string>,
): Promise<CostsView | undefined> {
  const by = COST_KEYS.find((key) => key === (words["by"] ?? "issue"));
  const limit = words["limit"] === undefined ? undefined : Number(words["limit"]);
  if (by === undefined || (limit !== undefined && !(limit >= 1))) return undefined;
  return readJournal(place, async ({ store, now }) =>
    costsView(store, { by, project: await projectMeant({ store }, asked), now, limit }),
  );
}
