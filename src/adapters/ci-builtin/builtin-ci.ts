// The built-in CI: the project's gates in a clean checkout on this machine. Owns dir/:
//   checkouts/{slot}  made again each time  tmp/{slot}        TMPDIR of the commands
//   logs/{key}/       output per attempt    running/{slot}    what to end after a crash
// Nothing else may write below dir/.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { CheckOutcome, CiGateResult } from "../../core/check.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CheckRequest, Ci } from "../../ports/ci.ts";
import type { Walls } from "../../ports/walls.ts";
import type { Git } from "../../ports/git.ts";
import { runAttempt, type AttemptOutcome, type Place } from "./attempt.ts";
import { throwIfAborted } from "./command-run.ts";
import { checkStarts } from "../shared/check-first.ts";
import { endRecorded } from "../shared/leftovers.ts";
import { isDeterministic, memoryKey, recall, type CheckRecords } from "./memory.ts";
import { listIfThere, pruneLogs } from "./prune-logs.ts";
import { createSlots, type Slot, type Slots } from "./slots.ts";

const GRACE_DEFAULT_MS = 2000;
const LOGS_MAX = { folders: 200, bytes: 500_000_000 };

export type BuiltinCiOptions = {
  /** The project's cache/ci, absolute. */
  dir: string;
  git: Pick<Git, "checkout">;
  records: CheckRecords;
  /** All that gates see of the user's environment: PATH, HOME, LANG and what the project passes. */
  environment: Record<string, string>;
  slots: number;
  now: () => number;
  crash: CrashPoint;
  graceMs?: number;
  walls?: Walls;
};

type State = BuiltinCiOptions & {
  line: Slots;
  /** What failed once and was not tried again yet, by tree and gates. */
  failedOnce: Map<string, CiGateResult[]>;
  /** Called when a command of the check runs. */
  onStarted: () => void;
};

/**
 * By folder, for the whole program: a changed configuration makes a new Ci while checks of the old
 * one still run, and neither may take the other's for leftovers or use its checkout.
 */
const slotsByFolder = new Map<string, Slots>();
const FAILED_ONCE_MAX = 200;

export function createBuiltinCi(options: BuiltinCiOptions): Ci {
  const line = slotsByFolder.get(options.dir) ?? createSlots();
  slotsByFolder.set(options.dir, line);
  line.resize(options.slots);
  const state = { ...options, line, failedOnce: new Map() };
  return {
    check: async (request) => {
      const onStarted = line.hasFree() ? checkStarts() : () => undefined;
      try {
        const known = await recallFor(state, request);
        return known ?? (await checkWithSlot({ ...state, onStarted }, request));
      } finally {
        onStarted();
      }
    },
  };
}

async function checkWithSlot(state: State, request: CheckRequest): Promise<CheckOutcome> {
  const isAtOnce = state.line.hasFree();
  const slot = await takeSlot(state.line.take(request.signal), request);
  try {
    // The same tree may have been tested while this one waited.
    const known = isAtOnce ? undefined : await recallFor(state, request);
    return known ?? (await checkInSlot(state, request, slot));
  } finally {
    slot.release();
  }
}

/** Waiting in line ends the same way as running does. */
async function takeSlot(taken: Promise<Slot>, request: CheckRequest): Promise<Slot> {
  try {
    return await taken;
  } catch (error) {
    throwIfAborted(request.signal);
    throw error;
  }
}

async function checkInSlot(state: State, request: CheckRequest, slot: Slot): Promise<CheckOutcome> {
  const place = placeOf(state.dir, slot.index, request.key);
  await endLeftovers(state, slot.index);
  let pruning: Promise<void> | undefined;
  const onStarted = (): void => {
    state.onStarted();
    // While the gate runs, which would wait for it otherwise.
    pruning ??= pruneLogs(join(state.dir, "logs"), LOGS_MAX);
    pruning.catch(() => undefined);
  };
  try {
    const outcome = await checkAt({ ...state, onStarted }, request, place);
    await pruning;
    return outcome;
  } catch (error) {
    return toInfra(error, request);
  } finally {
    await endRecorded(place.runningFile);
  }
}

async function checkAt(state: State, request: CheckRequest, place: Place): Promise<CheckOutcome> {
  const { tree } = request;
  const first = await attemptAt(state, request, { place, attempt: 1 });
  const before = state.failedOnce.get(onceKey(request));
  if (first.kind === "infra") return { ...first, tree };
  state.failedOnce.delete(onceKey(request));
  if (first.kind === "green") {
    return settle(state, request, passed(request, first, before !== undefined));
  }
  // A failure counts only after two runs: a pass after a failure on the same tree is a flake, and
  // no entry is blamed for it.
  if (before !== undefined) return failedTwice(state, request, [before, first.results]);
  if (request.tries === 1) return failedFirst(state, request, first.results);
  const second = await attemptAt(state, request, { place, attempt: 2 });
  if (second.kind === "infra") return { ...second, tree };
  if (second.kind === "green") return settle(state, request, passed(request, second, true));
  return failedTwice(state, request, [first.results, second.results]);
}

const onceKey = ({ tree, gates }: CheckRequest): string => JSON.stringify([tree, gates]);

function failedFirst(state: State, request: CheckRequest, results: CiGateResult[]): CheckOutcome {
  const { failedOnce } = state;
  if (failedOnce.size >= FAILED_ONCE_MAX) failedOnce.clear();
  failedOnce.set(onceKey(request), results);
  return { kind: "failed", tree: request.tree, results, remembered: false };
}

async function failedTwice(
  state: State,
  request: CheckRequest,
  [first, second]: [CiGateResult[], CiGateResult[]],
): Promise<CheckOutcome> {
  const { tree } = request;
  const failed = { kind: "failed", tree, results: second, remembered: false } as const;
  return isDeterministic(first, second) ? settle(state, request, failed) : failed;
}

function attemptAt(
  state: State,
  request: CheckRequest,
  { place, attempt }: { place: Place; attempt: number },
): Promise<AttemptOutcome> {
  const { environment, git, crash, walls, onStarted, graceMs = GRACE_DEFAULT_MS } = state;
  // With its place, so that it is unlike that of any other check that runs now, here or elsewhere.
  const mark = `${request.key}@${place.checkout}`;
  const own = { environment, graceMs, git, crash, walls, onStarted };
  return runAttempt({ request, place, mark, attempt, ...own });
}

const passed = (
  { tree }: CheckRequest,
  { results }: Extract<AttemptOutcome, { kind: "green" }>,
  flaky: boolean,
) => ({ kind: "passed" as const, tree, results, remembered: false, flaky });

async function settle(
  state: State,
  request: CheckRequest,
  outcome: Extract<CheckOutcome, { kind: "passed" | "failed" }>,
): Promise<CheckOutcome> {
  const key = await memoryKey(request, state.environment);
  if (key === undefined) return outcome;
  await state.crash("ci.remember.before");
  await state.records.put(key, { at: state.now(), outcome });
  await state.crash("ci.remember.after");
  return outcome;
}

async function recallFor(
  state: Omit<State, "onStarted">,
  request: CheckRequest,
): Promise<CheckOutcome | undefined> {
  if (request.fresh === true) return undefined;
  const key = await memoryKey(request, state.environment);
  return key === undefined ? undefined : recall(state.records, key, state.now());
}

/** Ends what earlier programs left running in any slot: a check may come back in another one. */
async function endLeftovers(state: State, own: number): Promise<void> {
  const folder = join(state.dir, "running");
  for (const name of await listIfThere(folder)) {
    const isActive = state.line.isTaken(Number(name)) && name !== String(own);
    if (/^\d+$/.test(name) && !isActive) await endRecorded(join(folder, name));
  }
}

function placeOf(dir: string, slot: number, key: string): Place {
  const checkouts = join(dir, "checkouts");
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 8);
  const slug = key.replaceAll(/[^A-Za-z0-9._-]+/g, "_").slice(0, 80);
  return {
    checkouts,
    checkout: join(checkouts, String(slot)),
    tmp: join(dir, "tmp", String(slot)),
    logs: join(dir, "logs", `${slug}-${digest}`),
    runningFile: join(dir, "running", String(slot)),
  };
}

/** A full disk or a checkout that cannot be made says nothing about the code. */
function toInfra(error: unknown, { tree }: CheckRequest): CheckOutcome {
  const isOperational = error instanceof OperationError && error.code !== "aborted";
  const isSystem = error instanceof Error && "syscall" in error;
  if (!isOperational && !isSystem) throw error;
  return { kind: "infra", tree, message: error.message, logTail: "" };
}
