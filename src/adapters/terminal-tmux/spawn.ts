// Starts a life in an epoch's folder, once. The folder decides: its process record names the life,
// and the wrapper makes that record by a link, which fails for a second one. A spawn that was cut
// short is found by the folder that its session carries, and goes on from there.
import { mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { SpawnRequest, Spawned } from "../../ports/terminal.ts";
import { LIFE_FILES, readLifeRecord } from "../shared/life-record.ts";
import type { LifeRecord } from "../shared/life-record.ts";
import { makeAppendable } from "../shared/untrusted-file.ts";
import { writeWhole } from "../shared/write-whole.ts";
import { renderLaunch } from "./launch-file.ts";
import { awaitLife } from "./await-life.ts";
import { lifeOf, listPanes } from "./panes.ts";
import { startSession } from "./session-start.ts";
import type { Tmux } from "./tmux.ts";

const WRAPPER = fileURLToPath(new URL("./wrapper.sh", import.meta.url));

export type SpawnContext = { tmux: Tmux; crash: CrashPoint };

export async function spawnLife(context: SpawnContext, request: SpawnRequest): Promise<Spawned> {
  const recorded = await readLifeRecord(request.dir);
  if (recorded !== undefined) return asSpawned(context.tmux, recorded);
  const isHere = async (): Promise<boolean> =>
    (await listPanes(context.tmux)).some((pane) => pane.dir === request.dir);
  // The launch file is written before a session is made: without it no session exists.
  const isBegun = (await isWritten(request)) && (await isHere());
  if (!isBegun) await start(context, request);
  await context.crash("terminal.spawn.session");
  return asSpawned(context.tmux, await awaitLife(request.dir, isHere));
}

async function start({ tmux, crash }: SpawnContext, request: SpawnRequest): Promise<void> {
  refuseControlCharacters([request.dir, request.logFile]);
  const launch = renderLaunch(request);
  await ensurePrivate(dirname(tmux.socket));
  await writeWhole(join(request.dir, LIFE_FILES.launch), launch);
  await crash("terminal.spawn.launch-file");
  // Made here, so that no other user can read it under any umask of tmux.
  await mkdir(dirname(request.logFile), { recursive: true, mode: 0o700 });
  await makeAppendable(request.logFile);
  await crash("terminal.spawn.log");
  const { dir, logFile, size, name } = request;
  await startSession(tmux, { dir, logFile, size, name, life: marksOf(request), wrapper: WRAPPER });
}

const isWritten = async ({ dir }: SpawnRequest): Promise<boolean> =>
  (await ifThere(stat(join(dir, LIFE_FILES.launch)))) !== undefined;

const asSpawned = (tmux: Tmux, life: LifeRecord): Spawned => ({
  socket: tmux.socket,
  tmuxSession: life.tmuxSession,
  pane: life.pane,
  process: life.wrapper,
});

function marksOf({ env }: SpawnRequest): string {
  const project = env["PAWL_PROJECT"] ?? "";
  return lifeOf({ project, run: env["PAWL_RUN"] ?? "", epoch: Number(env["PAWL_EPOCH"] ?? 0) });
}

/** They would break the lines in which tmux answers, and the command of the log. */
function refuseControlCharacters(paths: string[]): void {
  // oxlint-disable-next-line no-control-regex
  const path = paths.find((candidate) => /[\u0000-\u001f\u007f]/.test(candidate));
  if (path === undefined) return;
  throw new OperationError(`cannot start a session in ${JSON.stringify(path)}: control character`, {
    code: "path-unusable",
    hint: "choose a PAWL_HOME without tabs and newlines",
  });
}

/** A user who can write in the socket's folder could put another server there. */
async function ensurePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await stat(folder);
  if (uid === process.getuid?.() && (mode & 0o022) === 0) return;
  throw new OperationError(`cannot use ${folder} for the tmux socket: others can write there`, {
    code: "socket-folder-open",
    hint: `chmod 700 ${folder}, and make sure that it is yours`,
  });
}
