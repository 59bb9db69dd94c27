// The journal is whole, and what it wants done gets done.
import { checkJournal } from "../../../store/sqlite/check.ts";
import type { Check, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const ATTEMPTS_SHOWN = 5;
const OVERDUE_MS = 2 * 60_000;

export const journalCheck: Check = {
  id: "journal",
  title: "the journal, and the work that is due in it",
  run: async (inspection) => [
    ...(await damage(inspection)),
    ...(await failing(inspection)),
    ...(await overdue(inspection)),
  ],
};

async function damage({ paths }: Inspection): Promise<Trouble[]> {
  if ((await statOf(paths.journal)) === undefined) return [];
  const said = await checkJournal(paths.journal);
  if (said.length === 0) return [];
  const hint =
    "`pawl down`, then `pawl doctor --fix`: it replaces the journal with the newest intact backup";
  return [{ key: "damage", what: `${paths.journal} is damaged: ${said.join("; ")}`, hint }];
}

async function failing({ store }: Inspection): Promise<Trouble[]> {
  const rows = (await store.outbox()).filter(({ attempts }) => attempts >= ATTEMPTS_SHOWN);
  return rows.map(({ key, effect, aggregate, attempts }) => ({
    key,
    what: `${effect.kind} of ${aggregate} has failed ${attempts} times`,
    hint: "daemon.log in PAWL_HOME says why; Pawl tries again by itself",
  }));
}

async function overdue({ store, daemon, now }: Inspection): Promise<Trouble[]> {
  const next = daemon === null ? undefined : await store.nextWake();
  if (next === undefined || next > now - OVERDUE_MS) return [];
  const what = `a deadline passed ${Math.round((now - next) / 1000)} s ago, and the daemon has not noticed`;
  return [{ key: "overdue", what, hint: "`pawl down` and `pawl up`; agents keep running" }];
}
