// The journal opened for one view where no daemon runs: no web server, schemas or adapters, which would
// cost ten times what the answer itself does.
import type { StoreReader } from "../../ports/store.ts";
import { openReadOnly } from "../../store/sqlite/open.ts";
import type { FactoryPlace } from "../host/factory.ts";
import { heldSecrets, knowProjects, withoutSecrets } from "../host/held-secrets.ts";
import { pathsOf, type Paths } from "../host/paths.ts";

export type OpenedJournal = { store: StoreReader; paths: Paths; now: number };

export async function readJournal<View>(
  { home, runtime }: FactoryPlace,
  read: (journal: OpenedJournal) => Promise<View>,
): Promise<View> {
  const paths = pathsOf(home, runtime);
  const store = (await openReadOnly(paths.journal)) ?? (await emptyJournal());
  try {
    await knowProjects(store, home);
    const view = await read({ store, paths, now: Date.now() });
    return withoutSecrets(view, heldSecrets(home).redact);
  } finally {
    await store.close();
  }
}

/** Before anything was written: an empty journal answers as a real one does. */
const emptyJournal = async (): Promise<StoreReader> =>
  (await import("../../store/memory.ts")).createMemoryStore();
