// `pawl up`: starts the daemon in the background, under a keeper that starts it again if it dies.
import { spawn } from "node:child_process";
import { mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { pawlHome } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { requireTmux } from "../require-tmux.ts";

const START_MAX_MS = 20_000;
const LOOK_EVERY_MS = 50;

export const addUp: AddCommand = (program, { deps }) => {
  program
    .command("up")
    .description("start the daemon in the background; it works on all registered projects")
    .addHelpText("after", "\nExamples:\n  pawl up && pawl status")
    .action(async () => up(deps()));
};

type Ping = { daemon: { pid: number; since: string } | null };

async function up(deps: Deps): Promise<void> {
  if (await deps.client.daemonRuns()) {
    const { daemon } = await deps.client.get<Ping>("/v1/ping");
    deps.stderr(`the daemon runs already (pid ${daemon?.pid})\n`);
    return;
  }
  await requireTmux(deps);
  const home = pawlHome(deps.env);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  rmSync(join(home, "stopped"), { force: true });
  startKeeper(home, deps);
  const { daemon } = await whenServing(deps, home);
  deps.stderr(
    `the daemon runs (pid ${daemon?.pid}); see \`pawl status\`, end it with \`pawl down\`\n`,
  );
}

/** In a session of its own, so that closing the terminal does not end it. */
function startKeeper(home: string, deps: Deps): void {
  const keeper = fileURLToPath(new URL("../keeper.sh", import.meta.url));
  const main = process.argv[1] ?? "";
  const output = openSync(join(home, "daemon.out"), "a", 0o600);
  const command = [process.execPath, ...process.execArgv, main, "daemon"];
  const child = spawn("sh", [keeper, home, ...command], {
    detached: true,
    stdio: ["ignore", output, output],
    cwd: "/",
    env: deps.env,
  });
  child.unref();
}

async function whenServing(deps: Deps, home: string): Promise<Ping> {
  const until = deps.now() + START_MAX_MS;
  while (deps.now() < until) {
    if (await deps.client.daemonRuns()) return deps.client.get<Ping>("/v1/ping");
    await wait(LOOK_EVERY_MS);
  }
  throw new OperationError(`the daemon did not answer within ${START_MAX_MS / 1000} s`, {
    code: "unreachable",
    hint: `look at ${join(home, "daemon.out")} and ${join(home, "daemon.log")}`,
  });
}
