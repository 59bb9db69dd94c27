// `pawl history` where no daemon runs: the same view as the API's.
import { HISTORY_KINDS, HISTORY_ROWS } from "../../api/choices.ts";
import type { HistoryView } from "../../api/history.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { projectMeant, type Asked } from "../routes/context.ts";
import { historyView } from "../views/history.ts";
import { readJournal } from "./read-journal.ts";

/** Undefined for other than a first page of the usual size: the API checks what it is asked. */
export async function readHistory(
  place: FactoryPlace,
  asked: Asked,
  words: Record<string, string>,
): Promise<HistoryView | undefined> {
  const kind = HISTORY_KINDS.find((one) => one === (words["kind"] ?? "run"));
  if (kind === undefined || words["limit"] !== undefined) return undefined;
  const after = words["after"];
  return readJournal(place, async ({ store }) => {
    const project = await projectMeant({ store }, asked);
    const only = project === undefined ? {} : { project };
    return historyView(store, { kind, limit: HISTORY_ROWS, after, ...only });
  });
}
