// The CI server of a simulated project. It lives as long as the world: daemons come and go while its
// checks appear one by one, wait in its queue, run and end. It tells the truth about a commit
// (truth.ts), but late, and now and then it is flaky, broken, or loses a check for hours.
import type { Commit } from "../src/core/ids.ts";
import { problemOf } from "./truth.ts";
import type { SimProject, World } from "./world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const TEST = "test";
/** What has to be green; only the test looks at what is in the commit. */
export const CONTEXTS = ["build", "lint", TEST] as const;

export type CheckState = "queued" | "running" | "success" | "failure" | "error";
type Suite = Map<string, CheckState>;

/** A red result, and under which key it was reported. */
export type Told = { run: number; key: string };

export class CiRecords {
  readonly #world: World;
  readonly #project: SimProject;
  readonly #suites = new Map<Commit, Suite>();
  /** How often checks of a commit were started. */
  readonly #runs = new Map<Commit, number>();
  readonly told = new Map<Commit, Told>();
  /** Called when a check of any commit changes. */
  readonly watchers = new Set<() => void>();

  constructor(world: World, project: SimProject) {
    this.#world = world;
    this.#project = project;
  }

  /** A commit was pushed: its checks begin to appear, unless the server knows it already. */
  pushed(commit: Commit): void {
    if (this.#suites.has(commit)) return;
    this.#suites.set(commit, new Map());
    this.#runs.set(commit, 1);
    for (const context of CONTEXTS) this.#appear(commit, context);
  }

  /** A commit was pushed long ago, and all its checks have ended. */
  judged(commit: Commit): void {
    this.#runs.set(commit, 1);
    for (const context of CONTEXTS) {
      const isFailed = context === TEST && isRed(this.#project, commit);
      this.set(commit, { context, state: isFailed ? "failure" : "success" });
    }
  }

  knows(commit: Commit): boolean {
    return (this.#suites.get(commit)?.size ?? 0) > 0;
  }

  /** As the server shows it: a check that has not appeared yet is missing. */
  suite(commit: Commit): ReadonlyMap<string, CheckState> {
    return this.#suites.get(commit) ?? new Map();
  }

  run(commit: Commit): number {
    return this.#runs.get(commit) ?? 0;
  }

  /** Has everything that is red run once more. */
  restart(commit: Commit): void {
    this.#runs.set(commit, this.run(commit) + 1);
    for (const [context, state] of this.suite(commit)) {
      if (state !== "failure" && state !== "error") continue;
      this.set(commit, { context, state: "queued" });
      this.#work(commit, context);
    }
  }

  set(commit: Commit, { context, state }: { context: string; state: CheckState }): void {
    const suite = this.#suites.get(commit) ?? new Map<string, CheckState>();
    this.#suites.set(commit, suite.set(context, state));
    const { name: project } = this.#project;
    this.#world.tell({ kind: "check-reported", project, commit, context, state });
    for (const watcher of this.watchers) watcher();
  }

  #appear(commit: Commit, context: string): void {
    const { faults } = this.#world;
    const lostMs = faults.strikes("ciLost") ? faults.lengthMs(6 * HOUR_MS) : 0;
    this.#later(3 * MINUTE_MS + lostMs, () => {
      this.set(commit, { context, state: "queued" });
      this.#work(commit, context);
    });
  }

  #work(commit: Commit, context: string): void {
    this.#later(5 * MINUTE_MS, () => this.set(commit, { context, state: "running" }));
    const slow = this.#world.faults.strikes("ciSlow") ? 2 * HOUR_MS : 10 * MINUTE_MS;
    this.#later(slow, () => this.set(commit, { context, state: this.#result(commit, context) }), {
      atLeastMs: 5 * MINUTE_MS,
    });
  }

  #result(commit: Commit, context: string): CheckState {
    const { faults } = this.#world;
    if (faults.strikes("ciInfra")) return "error";
    if (context === TEST && isRed(this.#project, commit)) return "failure";
    return faults.strikes("ciFlake") ? "failure" : "success";
  }

  #later(maxMs: number, then: () => void, { atLeastMs = 0 } = {}): void {
    const { clock, prng } = this.#world;
    clock.after(atLeastMs + 1 + prng.ciServer.int(maxMs), then);
  }
}

const isRed = ({ repository }: SimProject, commit: Commit): boolean =>
  problemOf(repository.files(commit)) !== undefined;
