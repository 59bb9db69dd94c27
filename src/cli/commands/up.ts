// `pawl up`: starts the daemon in the background, under a keeper that starts it again if it dies.
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pawlHome, runtimeFolder } from "../../config/home.ts";
import { makeHome } from "../../config/make-folder.ts";
import { usePrivate } from "../../config/private-folder.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { StatusView } from "../../api/runs.ts";
import type { Deps } from "../deps.ts";
import { watchFolders } from "../folder-watch.ts";
import { startKeeper } from "../keeper.ts";
import { warnOfAgent } from "../output/agent-warning.ts";
import { printJson } from "../output/rows.ts";
import { sayTerms } from "../output/terms.ts";
import { whileWorking } from "../output/while-working.ts";
import { usage } from "../options.ts";
import { requireTmux } from "../require-tmux.ts";
import { whenServing } from "../when-serving.ts";
import { upBySystemd } from "./up-by-systemd.ts";

export const addUp: AddCommand = (program, { deps }) => {
  program
    .command("up")
    .description("start the daemon in the background; it works on all registered projects")
    .option("--systemd", "install a systemd user unit instead, which also starts it at login")
    .option("--dry-run", "with --systemd: only print the unit")
    .option("--json", "print JSON: the running daemon")
    .addHelpText("after", EXAMPLES)
    .action((options) => {
      const dryRun = options.dryRun === true;
      if (options.systemd === true) return upBySystemd(deps(), { dryRun });
      if (dryRun)
        throw usage(
          "--dry-run is only for --systemd",
          "`pawl run --dry-run` shows what would be started",
        );
      return up(deps(), options);
    });
};

const EXAMPLES = `
Examples:
  pawl up && pawl status
  pawl up --systemd --dry-run     see the unit first
  pawl up --as pawl               as root: all of it as the account pawl`;

/** `logged`: how long the daemon's log was before. */
type Started = {
  keeper: ChildProcess;
  home: string;
  logged: number;
  say: (text: string) => void;
};
type Ping = { daemon: { pid: number; since: string } | null };

async function up(deps: Deps, { json }: { json?: true | undefined }): Promise<void> {
  if (await deps.client.daemonRuns()) {
    const { daemon } = await deps.client.get<Ping>("/v1/ping");
    deps.stderr(`the daemon is already running (pid ${daemon?.pid})\n`);
    if (json === true) printJson(deps, { started: false, daemon });
    return;
  }
  await requireTmux();
  const home = pawlHome(deps.env);
  makeHome(home);
  rmSync(join(home, "stopped"), { force: true });
  const logged = logOf(home).length;
  const keeper = startKeeper(deps, home, outputOf(home));
  const { daemon } = await whileWorking(deps, { what: "starting the daemon" }, (say) =>
    serving(deps, { keeper, home, logged, say }),
  );
  deps.stderr(
    `the daemon is running (pid ${daemon?.pid}); see \`pawl status\`, end it with \`pawl down\`\n`,
  );
  const { projects } = await deps.client.get<StatusView>("/v1/status?all=true");
  for (const project of projects) {
    deps.stderr(`working on ${project.name}\n`);
    await sayTerms(deps, project);
    // The daemon is running: what fails here, the doctor says.
    await warnOfAgent(deps, project.name).catch(() => undefined);
  }
  if (json === true) printJson(deps, { started: true, daemon });
}

async function serving(deps: Deps, { keeper, home, logged, say }: Started): Promise<Ping> {
  const runtime = runtimeFolder(deps.env, home);
  usePrivate(runtime);
  // The daemon puts its socket there when it serves.
  const folder = watchFolders([runtime]);
  const exit = new Promise<void>((resolve) => keeper.once("exit", () => resolve()));
  let worked: (() => boolean) | undefined;
  try {
    await whenServing({
      now: deps.now,
      isServing: () => deps.client.daemonRuns(),
      ended: () => (keeper.exitCode === null ? undefined : ended(home)),
      hasDied: () => hasDied(logOf(home), logged),
      hasWorked: async () => {
        worked ??= await (await import("../in-process.ts")).workOfKept(keeper.pid);
        return worked?.();
      },
      changed: () => Promise.race([folder.changed().then(() => undefined), exit]),
      say,
      hint: `look at ${outputOf(home)} and ${logFile(home)}`,
    });
  } finally {
    folder.close();
  }
  return deps.client.get<Ping>("/v1/ping");
}

/** By what keeper.sh has written since; a long log is cut when a daemon is started. */
const hasDied = (log: string, logged: number): boolean =>
  log.slice(log.length < logged ? 0 : logged).includes("the daemon died with exit code");

const logFile = (home: string): string => join(home, "daemon.log");

const logOf = (home: string): string =>
  existsSync(logFile(home)) ? readFileSync(logFile(home), "utf8") : "";

/** The keeper gives up only where it makes no sense to try again; the reason is the last it wrote. */
function ended(home: string): OperationError {
  const said = readFileSync(outputOf(home), "utf8").trim().split("\n").at(-1) ?? "";
  return new OperationError(`the daemon could not be started: ${said}`, {
    code: "unreachable",
    hint: `look at ${outputOf(home)}`,
  });
}

const outputOf = (home: string): string => join(home, "daemon.out");
