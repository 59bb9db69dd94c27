// `pawl uninstall`: shows what Pawl keeps on this machine, and removes it with --yes. Repositories
// and their pawl.toml are not touched, and neither is the program itself.
import { existsSync, lstatSync, readlinkSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { AgentView } from "../../api/agents.ts";
import type { StatusView } from "../../api/runs.ts";
import { pawlHome, runtimeFolder } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { hasEnded } from "../has-ended.ts";
import { launcher } from "../launcher.ts";
import { linksInto } from "../links-into.ts";
import { shownRef } from "../output/shown-ref.ts";
import { printJson } from "../output/rows.ts";

const EXAMPLES = `
Examples:
  pawl uninstall           shows what would be removed
  pawl uninstall --yes     removes it

Issues of Pawl's own tracker, checkpoints, logs and costs are in its folder, and are lost with it.
Your repositories, their pawl.toml and what landed stay as they are.`;

export const addUninstall: AddCommand = (program, { deps }) => {
  program
    .command("uninstall")
    .description("remove what Pawl keeps on this machine")
    .option("--yes", "remove it; without this it is only shown")
    .option("--json", "as JSON")
    .action((options) => uninstall(deps(), options))
    .addHelpText("after", EXAMPLES);
};

type Options = { yes?: true | undefined; json?: true | undefined };

async function uninstall(deps: Deps, options: Options): Promise<void> {
  const paths = traces(deps);
  if (options.yes === true) {
    await refuseWhileAlive(deps);
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  }
  const isRemoved = options.yes === true;
  if (options.json === true) return printJson(deps, { removed: isRemoved, paths });
  const word = isRemoved ? "removed" : "would remove";
  deps.stdout(paths.map((path) => `${word} ${path}\n`).join(""));
  if (!isRemoved) for (const line of await lost(deps)) deps.stdout(`${line}\n`);
  deps.stderr(`${closing(paths, isRemoved)}\n`);
}

function closing(paths: string[], isRemoved: boolean): string {
  if (paths.length === 0) return "there is nothing to remove";
  if (!isRemoved) return "nothing was removed yet: `pawl uninstall --yes` does it";
  return "what is left is the program itself: remove the checkout, or `npm uninstall -g pawl`";
}

/** What a person may want to keep. */
async function lost(deps: Deps): Promise<string[]> {
  if (!existsSync(join(pawlHome(deps.env), "pawl.db"))) return [];
  const { projects, runs } = await deps.client.get<StatusView>("/v1/status");
  const unlanded = projects.flatMap(({ name }) => {
    const open = runs.filter((run) => run.project === name && run.outcome === null);
    return open.length === 0
      ? []
      : [`would lose work of ${name} that has not landed: ${list(open)}`];
  });
  return [...unlanded, "would lose issues of Pawl's own tracker, checkpoints, logs and costs"];
}

const list = (runs: StatusView["runs"]): string => runs.map((run) => shownRef(run)).join(", ");

function traces(deps: Deps): string[] {
  const user = deps.env["HOME"] ?? homedir();
  const home = pawlHome(deps.env);
  const cache = deps.env["XDG_CACHE_HOME"] ?? join(user, ".cache");
  const links = [...new Set([tmpdir(), "/tmp"])].flatMap((folder) => linksInto(folder, home));
  return [
    ...(isFactory(home, user) ? [home] : []),
    ...[runtimeFolder(deps.env, home), join(cache, "pawl")].filter((path) => existsSync(path)),
    ...links,
    ...linksOnPath(deps),
  ];
}

/** Only a folder that Pawl made: PAWL_HOME may be set to anything. */
const isFactory = (home: string, user: string): boolean =>
  existsSync(join(home, "pawl.db")) && !`${user}/`.startsWith(`${home}/`);

/** Those that `pawl link` made for this very Pawl. */
const linksOnPath = (deps: Deps): string[] =>
  [...new Set((deps.env["PATH"] ?? "").split(delimiter))]
    .map((folder) => join(folder, "pawl"))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    .filter((path) => readlinkSync(path) === launcher(deps));

async function refuseWhileAlive(deps: Deps): Promise<void> {
  const refuse = (what: string): OperationError =>
    new OperationError(`cannot uninstall: ${what}`, {
      code: "in-use",
      hint: "end it with `pawl down --kill-agents`, then run this again",
    });
  if (await deps.client.daemonRuns()) throw refuse("the daemon runs");
  if (!existsSync(join(pawlHome(deps.env), "pawl.db"))) return;
  const agents = await deps.client.get<AgentView[]>("/v1/agents");
  const alive = agents.filter(
    ({ stage, pid }) => stage !== "ended" && pid !== null && !hasEnded(pid),
  );
  if (alive.length > 0)
    throw refuse(`${alive.map(({ identity }) => identity).join(", ")} still works`);
}
