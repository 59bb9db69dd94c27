// One attempt at a check: a clean checkout, the set-up, then the gates in order up to the first
// red one. It remembers nothing and tries nothing twice.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { firstFailure, type CiGate, type CiGateResult } from "../../core/check.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { CheckRequest } from "../../ports/ci.ts";
import { CHECKOUT_INCOMPLETE, type Git } from "../../ports/git.ts";
import type { Walls } from "../../ports/walls.ts";
import { runCommand, throwIfAborted, type CommandResult } from "./command-run.ts";
import { judgeCiGate, redReason, type Ran } from "./judge.ts";
import { removeInside, removeTree } from "../shared/folder.ts";
import { inRoom } from "../shared/in-walls.ts";
import { MARK_VARIABLE, writeRunning } from "../shared/leftovers.ts";
import { readReport } from "./report.ts";

export type Place = {
  checkouts: string;
  checkout: string;
  tmp: string;
  logs: string;
  runningFile: string;
};

export type AttemptRequest = {
  request: CheckRequest;
  place: Place;
  mark: string;
  /** 1, or 2 when the first was red; it names the logs. */
  attempt: number;
  environment: Record<string, string>;
  graceMs: number;
  git: Pick<Git, "checkout">;
  crash: CrashPoint;
  walls: Walls | undefined;
  /** Called when a command of the check runs. */
  onStarted: () => void;
};

export type AttemptOutcome =
  | { kind: "green"; results: CiGateResult[] }
  | { kind: "red"; results: CiGateResult[] }
  | { kind: "infra"; message: string; logTail: string; logFile: string };

export async function runAttempt(attempt: AttemptRequest): Promise<AttemptOutcome> {
  const lacking = await prepare(attempt);
  if (lacking !== undefined) return { kind: "red", results: [lacking] };
  const refused = await runSetup(attempt);
  if (refused !== undefined) return refused;
  const results: CiGateResult[] = [];
  for (const [index, gate] of attempt.request.gates.entries()) {
    const logFile = logFileOf(attempt, `${index + 1}-${gate.name}`);
    results.push(judgeCiGate(gate, await runCiGate(attempt, gate, logFile)));
    if (firstFailure(results) !== undefined) return { kind: "red", results };
  }
  return { kind: "green", results };
}

/** What is red where the commit itself cannot be checked out completely. */
async function prepare(attempt: AttemptRequest): Promise<CiGateResult | undefined> {
  const { request, place, git } = attempt;
  throwIfAborted(request.signal);
  const { commit, keep, history, sparse, next } = request;
  const only = sparse === undefined ? {} : { sparse };
  const folders = Promise.all([
    mkdir(place.checkouts, { recursive: true }),
    mkdir(place.logs, { recursive: true }),
    emptyFolder(place.tmp),
  ]);
  const startedAt = performance.now();
  const checkout = git.checkout({ commit, path: place.checkout, keep, history, next, ...only });
  // Both have ended before anything else happens, also where one of them fails.
  await Promise.allSettled([folders, checkout]);
  await folders;
  let tree;
  try {
    ({ tree } = await checkout);
  } catch (error) {
    const isCommits = error instanceof OperationError && error.code === CHECKOUT_INCOMPLETE;
    if (!isCommits) throw error;
    return incomplete(attempt, error, performance.now() - startedAt);
  }
  if (tree === request.tree) return undefined;
  // A result for another tree would be remembered under the wrong one.
  const message = `cannot check ${commit}: its tree is ${tree}, and ${request.tree} was asked for`;
  throw new OperationError(message, { code: "tree-mismatch" });
}

/** A submodule that is nowhere to be had, for example: its author can fix it, no retry can. */
async function incomplete(
  attempt: AttemptRequest,
  { message, hint }: OperationError,
  durationMs: number,
): Promise<CiGateResult> {
  const logFile = logFileOf(attempt, "0-checkout");
  const logTail = `${message}\n${hint ?? ""}`.trim();
  await writeFile(logFile, `${logTail}\n`);
  const ended = { exitCode: null, signal: null, timedOut: false };
  const reason = "the commit cannot be checked out completely";
  return { gate: "checkout", passed: false, ...ended, durationMs, reason, logFile, logTail };
}

async function runSetup(
  attempt: AttemptRequest,
): Promise<Extract<AttemptOutcome, { kind: "infra" }> | undefined> {
  const { setup } = attempt.request;
  if (setup === undefined) return undefined;
  const logFile = logFileOf(attempt, "0-setup");
  const result = await runHere(attempt, setup, logFile);
  if (result.exitCode === 0 && !result.timedOut) return undefined;
  const why = redReason(setup, { ...result, noTestExecuted: false }) ?? `exit ${result.exitCode}`;
  const message = `set-up failed: \`${setup.command}\`: ${why}`;
  return { kind: "infra", message, logTail: result.logTail, logFile };
}

/** A report that was there before the gate ran is not the gate's. */
async function runCiGate(attempt: AttemptRequest, gate: CiGate, logFile: string): Promise<Ran> {
  const { checkout } = attempt.place;
  if (gate.report !== undefined) await removeInside(checkout, gate.report);
  const result = await runHere(attempt, gate, logFile);
  const tests = gate.report === undefined ? undefined : await readReport(checkout, gate.report);
  return { ...result, logFile, tests };
}

async function runHere(
  attempt: AttemptRequest,
  step: { command: string; timeoutMs: number },
  logFile: string,
): Promise<CommandResult> {
  const { place, mark, request, graceMs, crash, walls, onStarted } = attempt;
  const env = environmentOf(attempt);
  const argv = await inRoom({
    walls,
    frame: request.walls,
    // The outer shell joins stderr to stdout, so that both keep their order in one pipe.
    argv: ["sh", "-c", 'exec sh -c "$0" 2>&1', step.command],
    cwd: place.checkout,
    env,
    write: [place.tmp],
  });
  await writeRunning(place.runningFile, { mark });
  await crash("ci.command.before");
  const result = await runCommand({
    argv,
    timeoutMs: step.timeoutMs,
    cwd: place.checkout,
    env,
    mark,
    graceMs,
    logFile,
    signal: request.signal,
    onStarted: (group) => {
      onStarted();
      return writeRunning(place.runningFile, { mark, group });
    },
  });
  // All that it started has ended: no later look is needed.
  await rm(place.runningFile, { force: true });
  await crash("ci.command.after");
  return result;
}

function environmentOf({ environment, place, mark }: AttemptRequest): Record<string, string> {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: place.tmp,
    LANG: "C.UTF-8",
    ...environment,
    CI: "true",
    TMPDIR: place.tmp,
    [MARK_VARIABLE]: mark,
    // A checkout without history must not find a repository that happens to lie around it.
    GIT_CEILING_DIRECTORIES: place.checkouts,
    GIT_TERMINAL_PROMPT: "0",
  };
}

const logFileOf = ({ place, attempt }: AttemptRequest, step: string): string =>
  join(place.logs, `${attempt}-${step}.log`);

async function emptyFolder(path: string): Promise<void> {
  await removeTree(path);
  await mkdir(path, { recursive: true, mode: 0o700 });
}
