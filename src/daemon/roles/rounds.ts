// The rounds of standing roles in which a model judged or something was done, kept as evidence: what was
// found, what was answered, what was done and left out, and what would undo it. The newest of each role
// are kept: a role that comes every twenty minutes displaces none of one that comes once a day.
import type { ProjectName } from "../../core/ids.ts";
import type { Finding } from "../../core/roles/facts.ts";
import type { Operation } from "../../core/roles/operations.ts";
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
  /** What is to be done, recorded before any of it is done: a later attempt continues it. */
  planned: Operation[];
  /** What was done, and what was left out because the issues had changed. */
  done: string[];
  left: string[];
};

const collection = (project: ProjectName): string => `rounds/${project}`;

export async function keepRound(
  store: Store,
  of: { project: ProjectName; key: string },
  round: Round,
): Promise<void> {
  await store.transaction(async ({ records }) => {
    const name = collection(of.project);
    await records.put(name, of.key, round);
    const all = (await records.list<Round>(name))
      .filter(({ value }) => value.role === round.role)
      .toSorted((a, b) => a.value.at - b.value.at);
    for (const { key } of all.slice(0, -ROUNDS_MAX)) await records.delete(name, key);
  });
}

/** The round of an earlier attempt at the same. */
export const roundAt = async (
  store: StoreReader,
  of: { project: ProjectName; key: string },
): Promise<Round | undefined> =>
  (await store.records.get<Round>(collection(of.project), of.key))?.value;

export async function roundsOf(store: StoreReader, project: ProjectName): Promise<Round[]> {
  const all = await store.records.list<Round>(collection(project));
  return all.map(({ value }) => value).toSorted((a, b) => a.at - b.at);
}
