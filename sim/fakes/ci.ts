// CI of a simulated project: it knows the truth about a tree (truth.ts) and may be slow, flaky or
// broken, but it never passes a tree that is red.
import type { CheckOutcome, GateResult } from "../../src/core/check.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type { CheckRequest, Ci } from "../../src/ports/ci.ts";
import type { Life } from "../life.ts";
import { problemOf } from "../truth.ts";
import type { SimProject } from "../world.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

export function createFakeCi(life: Life, project: SimProject): Ci {
  return {
    async check(request) {
      const { world } = life;
      const gates = JSON.stringify(request.gates);
      const remembered = project.checkedTrees.get(`${request.tree} ${gates}`);
      if (remembered !== undefined && !request.history) {
        return outcome(project, { request, passed: remembered, remembered: true, flaky: false });
      }
      await runs(life, request);
      if (world.faults.strikes("ciInfra")) return broken(request);
      const passed = problemOf(project.repository.filesOf(request.tree)) === undefined;
      const flaky = passed && world.faults.strikes("ciFlake");
      if (flaky && request.tries === 1) {
        return outcome(project, { request, passed: false, remembered: false, flaky: false });
      }
      if (flaky) {
        // Once more, as the contract of the queue asks; a second flake in a row is red.
        await runs(life, request);
        const again = world.faults.strikes("ciFlake");
        const red = { request, passed: false, remembered: false, flaky: false };
        if (again) return outcome(project, red);
      }
      await life.pass("ci.check:ran");
      project.checkedTrees.set(`${request.tree} ${gates}`, passed);
      world.tell({
        kind: "tree-checked",
        project: project.name,
        tree: request.tree,
        gates,
        passed,
      });
      return outcome(project, { request, passed, remembered: false, flaky });
    },
  };
}

/** Takes its time, and an aborted one takes a while to be gone. */
async function runs({ world }: Life, request: CheckRequest): Promise<void> {
  const slow = world.faults.strikes("ciSlow");
  const longMs = slow ? 2 * 60 * MINUTE_MS : 10 * MINUTE_MS;
  const wantedMs = 5 * SECOND_MS + world.prng.ci.int(longMs);
  const aborted = new Promise<"aborted">((resolve) => {
    request.signal.addEventListener("abort", () => resolve("aborted"), { once: true });
  });
  if (request.signal.aborted) throw abortError(request);
  const ended = await Promise.race([world.clock.sleep(wantedMs), aborted]);
  if (ended !== "aborted") return;
  await world.clock.sleep(1 + world.prng.ci.int(30 * SECOND_MS));
  throw abortError(request);
}

const abortError = ({ key }: CheckRequest): OperationError =>
  new OperationError(`the check ${key} was called back`, { code: "aborted" });

const broken = ({ tree }: CheckRequest): CheckOutcome => ({
  kind: "infra",
  tree,
  message: "the runner lost its disk",
  logTail: "",
});

function outcome(
  project: SimProject,
  result: { request: CheckRequest; passed: boolean; remembered: boolean; flaky: boolean },
): CheckOutcome {
  const { request, passed, remembered, flaky } = result;
  const { tree } = request;
  const problem = problemOf(project.repository.filesOf(tree)) ?? "flaky";
  const results = request.gates.map((gate) => gateResult(gate.name, passed, problem));
  if (passed) return { kind: "passed", tree, results, remembered, flaky };
  return { kind: "failed", tree, results, remembered };
}

const gateResult = (gate: string, passed: boolean, ...[problem]: [string]): GateResult => ({
  gate,
  passed,
  exitCode: passed ? 0 : 1,
  signal: null,
  timedOut: false,
  durationMs: SECOND_MS,
  logFile: "/sim/gate.log",
  logTail: passed ? "ok" : problem,
});
