// `pawl down`: stops the daemon. Agents keep running and the next daemon adopts them, unless
// --kill-agents is given.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pawlHome } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { hasEnded } from "../has-ended.ts";

const END_MAX_MS = 90_000;
/** For one that is starting or ending. */
const BUSY_MAX_MS = 15_000;
const LOOK_EVERY_MS = 50;
const NONE_LEFT = "no agent is left, and their work is saved";

export const addDown: AddCommand = (program, { deps }) => {
  program
    .command("down")
    .description("stop the daemon; agents keep running and the next daemon adopts them")
    .option("--kill-agents", "also save every agent's work and stop it; `pawl retry` resumes it")
    .action(async (options) => down(deps(), options.killAgents === true));
};

type Ping = { daemon: { pid: number } | null };

async function down(deps: Deps, killAgents: boolean): Promise<void> {
  const home = pawlHome(deps.env);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // The keeper reads this and does not start another one.
  writeFileSync(join(home, "stopped"), "", { mode: 0o600 });
  if (!(await answers(deps))) return withoutDaemon(deps, killAgents);
  const { daemon } = await deps.client.get<Ping>("/v1/ping");
  await deps.client.post("/v1/daemon/stop", { killAgents });
  const until = deps.now() + END_MAX_MS;
  while (deps.now() < until) {
    // The daemon has stopped answering, but it still closes its journal.
    if (!(await deps.client.daemonRuns()) && (daemon === null || hasEnded(daemon.pid))) {
      deps.stderr(`the daemon has ended; ${killAgents ? NONE_LEFT : "agents keep running"}\n`);
      return;
    }
    await wait(LOOK_EVERY_MS);
  }
  throw new OperationError(`the daemon did not end within ${END_MAX_MS / 1000} s`, {
    code: "unreachable",
    hint: `look at ${join(home, "daemon.log")}`,
  });
}

/**
 * One that is starting or ending does not answer, but it holds the factory: it is waited for, so that
 * none comes up after this command has said that none runs. So does a command that writes, for a moment.
 */
async function answers(deps: Deps): Promise<boolean> {
  const { holderOf } = await import("../in-process.ts");
  const until = deps.now() + BUSY_MAX_MS;
  for (;;) {
    if (await deps.client.daemonRuns()) return true;
    const holder = await holderOf(deps.env);
    if (holder === undefined) return false;
    if (deps.now() > until) throw notAnswering(holder);
    await wait(LOOK_EVERY_MS);
  }
}

const notAnswering = (holder: string): OperationError =>
  new OperationError(`no daemon answers, and ${holder} holds this factory`, {
    code: "unreachable",
    hint: "it may be starting, ending or a command that writes: try again; agents keep running",
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
