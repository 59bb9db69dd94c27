// Where a state goes when it is journaled: among what is alive, or, once it is over, to the archive.
import { historyOf } from "../../core/history.ts";
import type { AggregateId } from "../../core/ids.ts";
import { deadlineOf, type AggregateState } from "../../core/step.ts";
import type { Transaction } from "../../ports/store.ts";

export function saveState(
  tx: Pick<Transaction, "save" | "archive">,
  id: AggregateId,
  state: AggregateState,
): Promise<void> {
  const entry = historyOf(state);
  if (entry === undefined) return tx.save(id, state, deadlineOf(state));
  return tx.archive(id, state, entry);
}
