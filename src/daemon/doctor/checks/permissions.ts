// No other user can read the journal, the secrets or the backups, or use the socket.
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { secretsFile } from "../../host/secrets.ts";
import type { Check, Trouble } from "../check.ts";
import { namesIn, statOf } from "../files.ts";

const OTHERS = 0o077;

export const permissionsCheck: Check = {
  id: "permissions",
  title: "permissions of private files",
  run: async ({ paths }) => {
    const backups = (await namesIn(paths.backups)).map((name) => join(paths.backups, name));
    const files = [paths.journal, secretsFile(paths.home), paths.log, paths.socket, ...backups];
    const found = await Promise.all([
      look(paths.runtime, 0o700),
      ...files.map((path) => look(path, 0o600)),
    ]);
    return found.flat();
  },
};

async function look(path: string, wanted: number): Promise<Trouble[]> {
  const found = await statOf(path);
  if (found === undefined || (found.mode & OTHERS) === 0) return [];
  const mode = (found.mode & 0o777).toString(8);
  const plan = `chmod ${wanted.toString(8)} ${path}`;
  const fix = { plan, apply: () => chmod(path, wanted) };
  return [{ key: path, what: `${path} is accessible to other users (mode ${mode})`, fix }];
}
