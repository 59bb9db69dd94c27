// CI of a simulated project: it knows the truth about a tree (truth.ts) and may be slow, flaky or
// broken, but it never passes a tree that is red.
import type { CheckOutcome, CiGateResult } from "../../src/core/check.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type { CheckRequest, Ci } from "../../src/ports/ci.ts";
import type { Life } from "../life.ts";
import { problemOf } from "../truth.ts";
import type { SimProject } from "../world.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

export function createFakeCi(life: Life, project: SimProject): Ci {
  return new FakeCi(life, project);
}

class FakeCi implements Ci {
  readonly #life: Life;
  readonly #project: SimProject;
  /** Trees that failed once, known to this life of the daemon only. */
  readonly #failedOnce = new Set<string>();

  constructor(life: Life, project: SimProject) {
    this.#life = life;
    this.#project = project;
  }

  // A property, because ports are taken apart by their own methods.
  readonly check = async (request: CheckRequest): Promise<CheckOutcome> => {
    const key = keyOf(request);
    const isNew = request.history || request.fresh === true;
    const known = isNew ? undefined : this.#project.checkedTrees.get(key);
    if (known !== undefined) return this.#outcome(request, { passed: known, remembered: true });
    const first = await this.#attempt(request);
    if (first === "broken") return broken(request);
    const before = this.#failedOnce.delete(key);
    if (first === "green") return this.#settle(request, { passed: true, flaky: before });
    if (before) return this.#settle(request, { passed: false, flaky: false });
    if (request.tries === 1) {
      this.#failedOnce.add(key);
      return this.#outcome(request, { passed: false });
    }
    const second = await this.#attempt(request);
    if (second === "broken") return broken(request);
    return this.#settle(request, { passed: second === "green", flaky: second === "green" });
  };

  async #attempt(request: CheckRequest): Promise<"green" | "red" | "broken"> {
    const { faults } = this.#life.world;
    await runs(this.#life, request);
    if (faults.strikes("ciInfra")) return "broken";
    if (this.#isTarget(request) && faults.strikes("targetInfra")) return "broken";
    return this.#isGreen(request) && !faults.strikes("ciFlake") ? "green" : "red";
  }

  /** A green tree that only seemed red is run again for the next caller. */
  async #settle(
    request: CheckRequest,
    verdict: { passed: boolean; flaky: boolean },
  ): Promise<CheckOutcome> {
    await this.#life.pass("ci.check:ran");
    const { passed } = verdict;
    if (passed !== this.#isGreen(request)) return this.#outcome(request, verdict);
    if (!request.history) this.#project.checkedTrees.set(keyOf(request), passed);
    const gates = JSON.stringify(request.gates);
    const { name: project } = this.#project;
    this.#life.world.tell({ kind: "tree-checked", project, tree: request.tree, gates, passed });
    return this.#outcome(request, verdict);
  }

  #isTarget({ tree }: CheckRequest): boolean {
    return tree === this.#project.repository.treeOf(this.#project.target);
  }

  #isGreen({ tree }: CheckRequest): boolean {
    return problemOf(this.#project.repository.filesOf(tree)) === undefined;
  }

  #outcome(
    { tree, gates }: CheckRequest,
    verdict: { passed: boolean; remembered?: boolean; flaky?: boolean },
  ): CheckOutcome {
    const { passed, remembered = false, flaky = false } = verdict;
    if (passed) {
      const results = gates.map((gate) => gateResult(gate.name, true, ""));
      return { kind: "passed", tree, results, remembered, flaky };
    }
    const problem = problemOf(this.#project.repository.filesOf(tree)) ?? "flaky";
    // Gates run up to the first red one.
    const results = gates.slice(0, 1).map((gate) => gateResult(gate.name, false, problem));
    return { kind: "failed", tree, results, remembered };
  }
}

const keyOf = ({ tree, gates }: CheckRequest): string => `${tree} ${JSON.stringify(gates)}`;

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
  new OperationError(`the check ${key} was cancelled`, { code: "aborted" });

const broken = ({ tree }: CheckRequest): CheckOutcome => ({
  kind: "infra",
  tree,
  message: "the runner lost its disk",
  logTail: "",
});

const gateResult = (gate: string, passed: boolean, problem: string): CiGateResult => ({
  gate,
  passed,
  exitCode: passed ? 0 : 1,
  signal: null,
  timedOut: false,
  durationMs: SECOND_MS,
  logFile: "/sim/gate.log",
  logTail: passed ? "ok" : problem,
});
