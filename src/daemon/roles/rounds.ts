// The rounds of standing roles that a model judged, kept as evidence: what was found, what was
// answered, what was done and left out, and what would undo it. The newest are kept.
import type { ProjectName } from "../../core/ids.ts";
import type { Finding } from "../../core/roles/facts.ts";
import type { StandingRole } from "../../core/roles/result.ts";
import type { Store, StoreReader } from "../../ports/store.ts";

const ROUNDS_MAX = 200;

export type Round = {
  at: number;
  role: StandingRole;
  /** The run of the formula, and which time it was where it repeats. */
  formula: string;
  cycle: number;
  findings: Finding[];
  /** As the agent wrote it. */
  answer: string;
  /** What was going to be done, before any of it was. */
  planned: string[];
  /** What was done, and what was left out because the issues had changed. */
  done: string[];
  left: string[];
};

const collection = (project: ProjectName): string => `rounds/${project}`;

/** The same key again is the same round: what was planned first stays planned. */
export async function keepRound(
  store: Store,
  of: { project: ProjectName; key: string },
  round: Round,
): Promise<void> {
  await store.transaction(async ({ records }) => {
    const name = collection(of.project);
    const before = (await records.get<Round>(name, of.key))?.value;
    await records.put(name, of.key, { ...round, planned: before?.planned ?? round.planned });
    const all = (await records.list<Round>(name)).toSorted((a, b) => a.value.at - b.value.at);
    for (const { key } of all.slice(0, -ROUNDS_MAX)) await records.delete(name, key);
  });
}

export async function roundsOf(store: StoreReader, project: ProjectName): Promise<Round[]> {
  const all = await store.records.list<Round>(collection(project));
  return all.map(({ value }) => value).toSorted((a, b) => a.at - b.at);
}
