// Commands on this machine: each in a process group of its own, which outlives the daemon and
// leaves the record of its end in its folder (command-wrapper.sh). Judges nothing.
import { once } from "node:events";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { LET_GO } from "../../ports/commands.ts";
import type { CommandOutcome, CommandRequest, Commands } from "../../ports/commands.ts";
import type { Walls } from "../../ports/walls.ts";
import { inRoom, roomEnvironment } from "../shared/in-walls.ts";
import { writeWhole } from "../shared/write-whole.ts";
import { startProgram } from "../shared/program.ts";
import { endMarked, endRest, MARK_VARIABLE, signalGroup } from "../shared/leftovers.ts";
import {
  cutIn,
  exitCodeIn,
  FILES,
  groupIn,
  isAlive,
  isStarted,
  printedBytes,
  printedIn,
  type Cut,
} from "./attempt-record.ts";

const WRAPPER = fileURLToPath(new URL("./command-wrapper.sh", import.meta.url));
const PRINTED_BYTES_MAX = 20_000_000;
/** How often one is looked at that is not our own child, and how much has been printed. */
const LOOK_MS = 200;
/** Between `started` and the record of who it is. */
const STARTING_MS = 5000;
const GRACE_MS = 2000;
/** The wrapper's exit code where another one runs the command (command-wrapper.sh). */
const SECOND = 75;

type Options = { crash: CrashPoint; walls?: Walls };

export function createLocalCommands(options: Options): Commands {
  const { crash } = options;
  return {
    run: async (request) => {
      const { folder } = request;
      const ended = await outcomeIn(folder);
      if (ended !== undefined) return ended;
      const child = (await isStarted(folder)) ? undefined : await begin(request, options);
      const why = await follow(request, child?.exited);
      if (why === "aborted" && request.signal.reason === LET_GO) throw aborted(request);
      const outcome = await finish(folder, why);
      await crash("commands.ended");
      if (why === "aborted") throw aborted(request);
      return outcome;
    },
    isBegun: isStarted,
    clear: async (folder) => {
      for (const attempt of await attemptsBelow(folder)) await endAll(attempt);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const aborted = ({ folder }: CommandRequest): OperationError =>
  new OperationError(`the command in ${folder} was cancelled`, { code: "aborted" });

async function outcomeIn(folder: string): Promise<CommandOutcome | undefined> {
  const code = await exitCodeIn(folder);
  if (code !== undefined) return { kind: "exited", code, ...(await printedIn(folder)) };
  const cut = await cutIn(folder);
  return cut && { kind: cut, ...(await printedIn(folder)) };
}

/** `exited`: whether the wrapper's process that has ended was the one that ran the command. */
async function begin(
  request: CommandRequest,
  { crash, walls }: Options,
): Promise<{ exited: Promise<boolean> }> {
  const { folder, cwd, inputs, walls: frame } = request;
  const given = join(folder, FILES.inputs);
  const variables = { ...request.env, PAWL_INPUTS: given, [MARK_VARIABLE]: folder };
  const env = roomEnvironment(frame, variables);
  await mkdir(given, { recursive: true });
  for (const [name, text] of Object.entries(inputs)) {
    await writeFile(join(given, name), text);
  }
  const own = frame && { ...frame, read: [...frame.read, given] };
  const argv = await inRoom({ walls, frame: own, argv: request.argv, cwd, env, write: [] });
  await crash("commands.begin");
  const child = await startProgram({
    argv: ["sh", WRAPPER, folder, ...argv],
    cwd,
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  if ("cause" in child) throw notStarted(cwd, child.cause);
  // One whose end was not seen is known by its record, as one that another process runs.
  const exited = once(child, "exit").then(([code]) => code !== SECOND && child.isLost !== true);
  await crash("commands.begun");
  child.unref();
  return { exited };
}

function notStarted(cwd: string, cause: unknown): OperationError {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new OperationError(`cannot start a command in ${cwd}: ${what}`, {
    code: "spawn-failed",
    cause,
  });
}

type Why = "ended" | "aborted" | Cut;

async function follow(
  { folder, timeoutMs, signal }: CommandRequest,
  child: Promise<boolean> | undefined,
): Promise<Why> {
  const startedAt = performance.now();
  const isOver = new AbortController();
  const aborted = once(signal, "abort", { signal: isOver.signal }).catch(() => undefined);
  // Where another one runs it, that one may not have said who it is yet: it is no less alive.
  let gone = false;
  const ends: Promise<unknown>[] = [];
  const exited = child?.then((ran) => {
    gone = ran;
    ends.length = 0;
  });
  if (exited !== undefined) ends.push(exited);
  try {
    for (;;) {
      if (signal.aborted) return "aborted";
      if ((await exitCodeIn(folder)) !== undefined) return "ended";
      const elapsedMs = performance.now() - startedAt;
      const starting = (await groupIn(folder)) === undefined && elapsedMs < STARTING_MS && !gone;
      if (!starting && !(await isAlive(folder))) return "ended";
      if (elapsedMs > timeoutMs) return "timed-out";
      if ((await printedBytes(folder)) > PRINTED_BYTES_MAX) return "overflowed";
      const lookMs = Math.max(1, Math.min(LOOK_MS, timeoutMs - elapsedMs));
      await Promise.race([wait(lookMs), aborted, ...ends]);
    }
  } finally {
    isOver.abort();
  }
}

async function finish(folder: string, why: Why): Promise<CommandOutcome> {
  await endAll(folder);
  const ended = await outcomeIn(folder);
  if (ended !== undefined) return ended;
  if (why === "ended" || why === "aborted") return { kind: "lost", ...(await printedIn(folder)) };
  await writeWhole(join(folder, FILES.cut), why);
  return { kind: why, ...(await printedIn(folder)) };
}

/** Asks the process group to end, then kills it and every process that carries the mark. */
async function endAll(folder: string): Promise<void> {
  const group = await groupIn(folder);
  if (group !== undefined && (await isAlive(folder))) {
    signalGroup(group.id, "SIGTERM");
    const until = performance.now() + GRACE_MS;
    while (performance.now() < until && (await isAlive(folder))) await wait(20);
    if (await isAlive(folder)) signalGroup(group.id, "SIGKILL");
  }
  if (group !== undefined) await endRest(group);
  await endMarked(folder);
}

/** Every folder below with a record of its own. */
async function attemptsBelow(folder: string): Promise<string[]> {
  if (await isStarted(folder)) return [folder];
  const names = (await ifThere(readdir(folder, { withFileTypes: true }))) ?? [];
  return names.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}
