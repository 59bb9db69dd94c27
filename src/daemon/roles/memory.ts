// What standing roles remember from round to round, in the journal's records.
import type { ProjectName } from "../../core/ids.ts";
import { NOTHING_REMEMBERED, type Memory } from "../../core/roles/round.ts";
import type { StandingRole } from "../../core/roles/result.ts";
import type { Store } from "../../ports/store.ts";

const collection = (project: ProjectName): string => `roles/${project}`;

export const recall = async (
  store: Store,
  project: ProjectName,
  role: StandingRole,
): Promise<Memory> =>
  (await store.records.get<Memory>(collection(project), role))?.value ?? NOTHING_REMEMBERED;

export const remember = (
  store: Store,
  of: { project: ProjectName; role: StandingRole },
  memory: Memory,
): Promise<void> =>
  store.transaction((tx) => tx.records.put(collection(of.project), of.role, memory));
