// There is a backup of the journal to go back to, and it is whole.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkBackup } from "../../../store/sqlite/check.ts";
import { backupsIn } from "../../host/backups-in.ts";
import type { Check, Fix, Trouble } from "../check.ts";
import { statOf } from "../files.ts";
import type { Inspection } from "../inspection.ts";

const OLD_MS = 48 * 60 * 60_000;

export const backupsCheck: Check = {
  id: "backups",
  title: "backups of the journal",
  run: async (inspection) => {
    const { paths, now } = inspection;
    const journal = await statOf(paths.journal);
    if (journal === undefined) return [];
    const [newest] = await backupsIn(paths.backups, now);
    const fix = backUp(inspection);
    if (newest === undefined) {
      if (now - journal.birthtimeMs < OLD_MS) return [];
      return [trouble({ key: "none", what: `${paths.backups} has no backup` }, fix)];
    }
    const { path, madeAt } = newest;
    const said = await checkBackup(path);
    if (said.length > 0) {
      const what = `the newest backup ${path} is damaged: ${said.join("; ")}`;
      return [trouble({ key: path, what }, backUp(inspection, path))];
    }
    const ageMs = now - madeAt;
    if (ageMs < OLD_MS) return [];
    const what = `the newest backup ${path} is ${Math.round(ageMs / 3_600_000)} h old`;
    return [trouble({ key: "old", what }, fix)];
  },
};

const trouble = (found: { key: string; what: string }, fix: Fix | undefined): Trouble =>
  fix === undefined ? found : { ...found, fix };

/** A damaged one goes only after a new one is there. */
function backUp({ writing, paths, now }: Inspection, damaged?: string): Fix {
  const path = join(paths.backups, `pawl-${now}.db`);
  const plan =
    damaged === undefined ? `back up to ${path}` : `back up to ${path}, then remove ${damaged}`;
  return {
    plan,
    apply: async () => {
      await mkdir(paths.backups, { recursive: true, mode: 0o700 });
      await writing?.backup(path);
      if (damaged !== undefined) await rm(damaged, { force: true });
    },
  };
}
