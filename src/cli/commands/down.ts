// `pawl down`: stops the daemon. Agents keep running and the next daemon adopts them, unless
// --kill-agents is given.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pawlHome, runtimeFolder } from "../../config/home.ts";
import { makeHome } from "../../config/make-folder.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AgentView } from "../../api/agents.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printJson } from "../output/rows.ts";
import { watchFolders, type FolderWatch } from "../folder-watch.ts";
import { whileWorking } from "../output/while-working.ts";
import { hasEnded } from "../has-ended.ts";
import { leftText } from "../output/left-running.ts";

const END_MAX_MS = 90_000;
/** For one that is starting or ending. */
const BUSY_MAX_MS = 15_000;
/** No event tells that a process has gone; it does nothing any more but exit. */
const EXIT_LOOK_MS = 10;
const NONE_LEFT = "no agent is left, and all work is saved";

export const addDown: AddCommand = (program, { deps }) => {
  program
    .command("down")
    .description("stop the daemon; agents keep running and the next daemon adopts them")
    .option("--kill-agents", "also save every agent's work and stop it; `pawl retry` resumes it")
    .option("--json", "print JSON: what was stopped")
    .action((options) => down(deps(), options));
};

type Ping = { daemon: { pid: number } | null };

type Options = { killAgents?: true | undefined; json?: true | undefined };

async function down(deps: Deps, options: Options): Promise<void> {
  const killAgents = options.killAgents === true;
  const what = killAgents ? "stopping the daemon and its agents" : "stopping the daemon";
  const wasRunning = await whileWorking(deps, { what }, (stderr) =>
    end({ ...deps, stderr }, killAgents),
  );
  if (options.json === true) printJson(deps, { was_running: wasRunning, agents_ended: killAgents });
}

/** Whether a daemon ran. */
async function end(deps: Deps, killAgents: boolean): Promise<boolean> {
  const home = pawlHome(deps.env);
  makeHome(home);
  // The keeper reads this and does not start another one.
  writeFileSync(join(home, "stopped"), "", { mode: 0o600 });
  const folders = watchFolders([home, runtimeFolder(deps.env, home)]);
  try {
    if (!(await answers(deps, folders))) {
      await withoutDaemon(deps, killAgents);
      return false;
    }
    await endDaemon(deps, { folders, killAgents });
  } finally {
    folders.close();
  }
  deps.stderr(`the daemon has ended; ${killAgents ? NONE_LEFT : await whoStays(deps)}\n`);
  return true;
}

/** Asked of the journal: until its end, the daemon may have been starting an agent. */
async function whoStays(deps: Deps): Promise<string> {
  try {
    return leftText(await deps.client.get<AgentView[]>("/v1/agents"));
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return "agents that were running keep running";
  }
}

async function endDaemon(
  deps: Deps,
  { folders, killAgents }: { folders: FolderWatch; killAgents: boolean },
): Promise<void> {
  const { daemon } = await deps.client.get<Ping>("/v1/ping");
  await deps.client.post("/v1/daemon/stop", { killAgents });
  const until = deps.now() + END_MAX_MS;
  while (deps.now() < until) {
    if (await deps.client.daemonRuns()) await folders.changed();
    else if (daemon === null || hasEnded(daemon.pid)) return;
    // It has stopped answering, but it still closes its journal; then it frees the factory and exits.
    else await ((await holder(deps)) === undefined ? wait(EXIT_LOOK_MS) : folders.changed());
  }
  throw new OperationError(`the daemon did not end within ${END_MAX_MS / 1000} s`, {
    code: "unreachable",
    hint: `look at ${join(pawlHome(deps.env), "daemon.log")}`,
  });
}

const holder = async ({ env }: Deps): Promise<string | undefined> =>
  (await import("../in-process.ts")).holderOf(env);

/**
 * One that is starting or ending does not answer, but it holds the factory: it is waited for, so that
 * none comes up after this command has said that none runs. So does a command that writes, for a moment.
 */
async function answers(deps: Deps, folders: FolderWatch): Promise<boolean> {
  const until = deps.now() + BUSY_MAX_MS;
  for (;;) {
    if (await deps.client.daemonRuns()) return true;
    const held = await holder(deps);
    if (held === undefined) return false;
    if (deps.now() > until) throw notAnswering(held);
    await folders.changed();
  }
}

const notAnswering = (holder: string): OperationError =>
  new OperationError(`no daemon answers, but ${holder} uses this factory`, {
    code: "unreachable",
    hint: "a daemon may be starting or ending, or another command is writing; try again. Agents keep running",
  });

async function withoutDaemon(deps: Deps, killAgents: boolean): Promise<void> {
  if (!killAgents) {
    deps.stderr("no daemon runs\n");
    return;
  }
  const { endAgentsWithoutDaemon } = await import("../daemon-main.ts");
  await endAgentsWithoutDaemon(deps);
  deps.stderr(`no daemon runs; ${NONE_LEFT}\n`);
}
