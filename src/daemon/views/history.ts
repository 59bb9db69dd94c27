// One page of what is over, the last end first.
import type { HistoryRowView, HistoryView } from "../../api/history.ts";
import type { AggregateId } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { HistoryCursor, HistoryQuery, HistoryRow, StoreReader } from "../../ports/store.ts";
import { iso } from "./agents.ts";

type Query = Omit<HistoryQuery, "after"> & { after?: string | undefined };

export async function historyView(store: StoreReader, query: Query): Promise<HistoryView> {
  const { after, ...rest } = query;
  // One more than is shown: whether there is another page.
  const wanted = { ...rest, limit: rest.limit + 1 };
  const rows = await store.history(
    after === undefined ? wanted : { ...wanted, after: cursorFrom(after) },
  );
  const shown = rows.slice(0, rest.limit);
  const last = shown.at(-1);
  const isMore = rows.length > shown.length && last !== undefined;
  return { rows: shown.map(rowView), next: isMore ? `${last.endedAt}~${last.id}` : null };
}

function cursorFrom(text: string): HistoryCursor {
  const [endedAt, id] = text.split("~");
  if (id !== undefined && Number.isFinite(Number(endedAt))) {
    return { endedAt: Number(endedAt), id: id as AggregateId };
  }
  throw new OperationError(`"${text}" is not a valid value for --after`, {
    code: "usage",
    hint: "use the value that the previous page printed",
  });
}

const rowView = (row: HistoryRow): HistoryRowView => ({
  id: row.id.slice(row.id.indexOf("/") + 1),
  project: row.project,
  kind: row.kind as HistoryRowView["kind"],
  reference: row.reference,
  title: row.title,
  outcome: row.outcome,
  started_at: iso(row.startedAt),
  ended_at: iso(row.endedAt),
  tokens: row.tokens,
  cost_usd: Math.round(row.usd * 1e6) / 1e6,
  last_words: row.lastWords,
});
