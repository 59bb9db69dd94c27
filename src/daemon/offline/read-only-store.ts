// A journal that is open for reading, where a whole store is wanted: writes are refused.
import { OperationError } from "../../lib/operation-error.ts";
import type { Store, StoreReader } from "../../ports/store.ts";

export function readOnly(store: StoreReader): Store {
  const refuse = (): never => {
    throw new OperationError("the journal is open for reading only", { code: "read-only" });
  };
  return { ...store, transaction: refuse, prune: refuse, backup: refuse };
}
