// `pawl up --systemd`: writes the user unit and starts it; `--dry-run` only prints it.
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { pawlHome, type Environment } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Deps } from "../deps.ts";
import { homeSetting, unitText } from "../systemd-unit.ts";

const NAME = "pawl.service";

const unitFolder = (env: Environment): string =>
  join(env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? homedir(), ".config"), "systemd", "user");

/** What `up --systemd` left for this home: the unit, and the link that starts it at login. */
export function unitFiles(env: Environment, home: string): string[] {
  const unit = join(unitFolder(env), NAME);
  if (!existsSync(unit) || !readFileSync(unit, "utf8").includes(homeSetting(home))) return [];
  const link = join(unitFolder(env), "default.target.wants", NAME);
  return lstatSync(link, { throwIfNoEntry: false }) === undefined ? [unit] : [unit, link];
}

export async function upBySystemd(deps: Deps, { dryRun }: { dryRun: boolean }): Promise<void> {
  const { env } = deps;
  const home = pawlHome(env);
  const main = resolve(process.argv[1] ?? "");
  const command = [process.execPath, ...process.execArgv, main, "daemon"];
  const text = unitText({ command, home, path: env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin" });
  if (dryRun) {
    deps.stdout(text);
    return;
  }
  const path = join(unitFolder(env), NAME);
  mkdirSync(dirname(path), { recursive: true });
  await deps.putText({ temporary: `${path}.${deps.newKey()}`, path, text });
  rmSync(join(home, "stopped"), { force: true });
  for (const words of [["daemon-reload"], ["enable", "--now", NAME]]) {
    const argv = ["systemctl", "--user", ...words];
    if ((await deps.runInTerminal(argv)) === 0) continue;
    throw new OperationError(`${argv.join(" ")} failed`, {
      code: "systemd",
      hint: `the unit is in ${path}; without a systemd user session, \`pawl up\` keeps the daemon`,
    });
  }
  deps.stderr(`the daemon runs as ${NAME}; see \`systemctl --user status ${NAME}\`\n`);
}
