// Waits for a CI server's verdict on a commit; it works with every server. It remembers which red
// result was reported under which key: asking again starts the checks again, and a crash starts
// nothing twice.
import type { CheckOutcome, ServerWord } from "../../core/check.ts";
import { formatDuration } from "../../lib/duration.ts";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Commit } from "../../core/ids.ts";
import type { CiServer, ServerRequest } from "../../ports/ci.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Verdict, Verdicts } from "./verdict.ts";

/** The red result of a commit that was told last. */
export type ToldRun = { run: string; key: string; infra: boolean };

export type ToldRuns = {
  get(commit: string): Promise<ToldRun | undefined>;
  put(commit: string, told: ToldRun): Promise<void>;
};

export type ServerCiOptions = {
  verdicts: Verdicts;
  told: ToldRuns;
  clock: Clock;
  crash: CrashPoint;
  /** Time between two requests while no webhook reports a change. */
  pollMs: number;
};

type Failed = Extract<Verdict, { kind: "failed" }>;

export function createServerCi(options: ServerCiOptions): CiServer {
  const waiting = new Set<() => void>();
  return {
    judge: (request) => judge(options, request, waiting),
    look: (commit) => wordOn(options, commit),
    knows: async (commit) => (await options.verdicts.verdict(commit, false)).kind !== "missing",
    stir: () => {
      for (const wake of waiting) wake();
    },
  };
}

/** Of a commit that is on a branch: no PR's checks are expected of it. */
async function wordOn({ verdicts }: ServerCiOptions, commit: Commit): Promise<ServerWord> {
  try {
    const verdict = await verdicts.verdict(commit, false);
    if (verdict.kind === "passed") return { kind: "passed" };
    if (verdict.kind !== "failed") return { kind: "open", why: waitText(verdict, commit) };
    const { infra, results } = verdict;
    // Nothing is known of the code.
    return infra === undefined ? { kind: "failed", results } : { kind: "open", why: infra.message };
  } catch (error) {
    if (!(error instanceof OperationError) || !error.retryable) throw error;
    return { kind: "open", why: error.message };
  }
}

function waitText(
  verdict: Extract<Verdict, { kind: "missing" | "pending" }>,
  commit: Commit,
): string {
  return verdict.kind === "missing"
    ? `the CI server does not know commit ${commit.slice(0, 10)}`
    : `still waiting for ${verdict.waitsFor.join(", ")}`;
}

async function judge(
  options: ServerCiOptions,
  request: ServerRequest,
  waiting: Set<() => void>,
): Promise<CheckOutcome> {
  const { tree, timeoutMs = Number.POSITIVE_INFINITY } = request;
  const until = options.clock.now() + timeoutMs;
  for (;;) {
    throwIfAborted(request.signal);
    const found = await lookAt(options, request);
    if (typeof found !== "string") return found;
    if (options.clock.now() >= until) {
      const message = `no verdict within ${formatDuration(timeoutMs)}: ${found}`;
      return { kind: "infra", tree, message, logTail: "" };
    }
    await pause(options, request.signal, waiting);
  }
}

/** The outcome, or in words what is still waited for. */
async function lookAt(
  options: ServerCiOptions,
  request: ServerRequest,
): Promise<CheckOutcome | string> {
  const { tree, commit } = request;
  try {
    const verdict = await options.verdicts.verdict(commit, request.isPr);
    switch (verdict.kind) {
      case "missing":
      case "pending":
        return waitText(verdict, commit);
      case "passed":
        return { kind: "passed", tree, results: verdict.results, remembered: false, flaky: false };
      case "failed":
        return await tellFailure(options, request, verdict);
    }
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // A server that is down says nothing of the code: it is waited for.
    if (error.retryable) return error.message;
    const hint = error.hint === undefined ? "" : ` (${error.hint})`;
    return { kind: "infra", tree, message: `${error.message}${hint}`, logTail: "" };
  }
}

async function tellFailure(
  options: ServerCiOptions,
  request: ServerRequest,
  verdict: Failed,
): Promise<CheckOutcome | string> {
  const { told, verdicts, crash } = options;
  const { commit, key, tree } = request;
  const before = await told.get(commit);
  const isTold = before?.run === verdict.run;
  if (isTold && before.key !== key && verdicts.restart !== undefined) {
    await crash("ci-server.restart:before");
    await verdicts.restart(verdict.run);
    await crash("ci-server.restart:after");
    return `run ${verdict.run} was started again`;
  }
  const infra = isTold ? before.infra : blames(verdict, before);
  await told.put(commit, { run: verdict.run, key, infra });
  if (!infra) return { kind: "failed", tree, results: verdict.results, remembered: false };
  const logTail = verdict.results.find(({ passed }) => !passed)?.logTail ?? "";
  return { kind: "infra", tree, message: verdict.infra?.message ?? "CI could not run", logTail };
}

/** A suspected infrastructure failure counts once per commit. The next one counts as red. */
function blames({ infra }: Failed, before: ToldRun | undefined): boolean {
  if (infra === undefined) return false;
  return infra.certain || before?.infra !== true;
}

function pause(
  { clock, pollMs }: ServerCiOptions,
  signal: AbortSignal,
  waiting: Set<() => void>,
): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      timer.cancel();
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = clock.after(pollMs, wake);
    waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    if (signal.aborted) wake();
  });
}

function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new OperationError("the check was aborted", { code: "aborted", cause: signal.reason });
}
