// How a daemon asks the CI server of a simulated project. It waits until every expected check has
// ended, as the port's contract says (src/ports/ci-server.contract.ts).
import type { CheckOutcome, CiGateResult, ServerWord } from "../../src/core/check.ts";
import type { Commit } from "../../src/core/ids.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type { CiServer, ServerRequest } from "../../src/ports/ci.ts";
import { CONTEXTS, type CheckState, type CiRecords } from "../ci-server.ts";
import type { Life } from "../life.ts";

const SECOND_MS = 1000;
const POLL_MS = 60 * SECOND_MS;

export function createFakeCiServer(life: Life, records: CiRecords): CiServer {
  const { clock } = life.world;
  return {
    async judge(request) {
      const until = clock.monotonicMs() + (request.timeoutMs ?? Number.POSITIVE_INFINITY);
      for (;;) {
        if (request.signal.aborted) throw abortError(request);
        const outcome = await verdict(life, records, request);
        if (outcome !== undefined) return outcome;
        if (clock.monotonicMs() >= until) return notInTime(request);
        await change(life, records, { signal: request.signal, until });
      }
    },
    look: async (commit) => wordOn(records, commit),
    knows: async (commit) => records.knows(commit),
    stir: () => undefined,
  };
}

function wordOn(records: CiRecords, commit: Commit): ServerWord {
  const states = CONTEXTS.map((context) => records.suite(commit).get(context));
  if (states.every((state) => state === "success")) return { kind: "passed" };
  if (!states.includes("failure")) return { kind: "open", why: "no verdict yet" };
  return {
    kind: "failed",
    results: CONTEXTS.map((context, index) => resultOf(context, states[index])),
  };
}

/** Undefined while a check is missing, waits or runs. */
async function verdict(
  life: Life,
  records: CiRecords,
  { commit, tree, key }: ServerRequest,
): Promise<CheckOutcome | undefined> {
  const states = CONTEXTS.map((context) => records.suite(commit).get(context));
  const results = CONTEXTS.map((context, index) => resultOf(context, states[index]));
  if (states.every((state) => state === "success")) {
    return { kind: "passed", tree, results, remembered: false, flaky: false };
  }
  if (!states.some(isRed)) return undefined;
  const told = records.told.get(commit);
  if (told?.run === records.run(commit) && told.key !== key) {
    records.restart(commit);
    await life.pass("ci-server.judge:restarted");
    return undefined;
  }
  records.told.set(commit, { run: records.run(commit), key });
  await life.pass("ci-server.judge:told");
  if (states.includes("failure")) return { kind: "failed", tree, results, remembered: false };
  return { kind: "infra", tree, message: "the runner of the server broke", logTail: "" };
}

const isRed = (state: CheckState | undefined): boolean => state === "failure" || state === "error";

/** A look soon after something changed: a webhook, or the next poll. */
async function change(
  { world }: Life,
  records: CiRecords,
  { signal, until }: { signal: AbortSignal; until: number },
): Promise<void> {
  const { clock, prng } = world;
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      records.watchers.delete(wake);
      signal.removeEventListener("abort", wake);
      limit?.cancel();
      resolve();
    };
    const limit = Number.isFinite(until)
      ? clock.after(until - clock.monotonicMs(), wake)
      : undefined;
    records.watchers.add(wake);
    signal.addEventListener("abort", wake, { once: true });
    if (signal.aborted) wake();
  });
  await clock.sleep(1 + prng.ciServer.int(POLL_MS));
}

const abortError = ({ key }: ServerRequest): OperationError =>
  new OperationError(`the check ${key} was cancelled`, { code: "aborted" });

const notInTime = ({ tree }: ServerRequest): CheckOutcome => ({
  kind: "infra",
  tree,
  message: "no verdict of the CI server in time",
  logTail: "",
});

const resultOf = (gate: string, state: CheckState | undefined): CiGateResult => ({
  gate,
  passed: !isRed(state),
  exitCode: null,
  signal: null,
  timedOut: false,
  durationMs: SECOND_MS,
  logFile: "https://ci.example.org/1",
  logTail: state ?? "missing",
});
