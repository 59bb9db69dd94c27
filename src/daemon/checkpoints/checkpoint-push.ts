// Copies checkpoints and branches to a private remote, where a project says so. Never waited for:
// changes are gathered, a remote that does not answer is tried again ever more slowly, and a person
// is told once when that goes on.
import { runAggregate, type AggregateId, type ProjectName } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Timer } from "../../ports/clock.ts";
import type { StoreReader } from "../../ports/store.ts";
import { briefProject } from "../engine/brief-project.ts";
import type { Ports } from "../engine/ports.ts";

/** Changes of this long go together. */
const EVERY_MS = 10_000;
const RETRY_MAX_MS = 10 * 60_000;
/** A person is told after this many failures in a row. */
const TOLD_AFTER = 3;

export type PushDeps = {
  store: StoreReader;
  ports: Ports;
  onError: (error: unknown) => void;
};

type Sending = {
  timer: Timer | undefined;
  isBusy: boolean;
  isWanted: boolean;
  failures: number;
  lastAt: number;
};

export class CheckpointPush {
  readonly #deps: PushDeps;
  readonly #projects = new Map<ProjectName, Sending>();
  readonly #seen = new Map<AggregateId, Pick<Run, "checkpoint" | "head"> & { isOver: boolean }>();
  #state: "off" | "on" | "stopped" = "off";

  constructor(deps: PushDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#state = "on";
    for (const project of this.#projects.keys()) this.#schedule(project);
  }

  stop(): void {
    this.#state = "stopped";
    for (const sending of this.#projects.values()) sending.timer?.cancel();
  }

  /** What has not moved since is not sent again; the adapter knows, this only spares asking it. */
  sync(run: Run): void {
    const id = runAggregate(run.project, run.id);
    const { checkpoint, head } = run;
    const isOver = run.stage.kind === "ended";
    const seen = this.#seen.get(id);
    if (seen?.checkpoint === checkpoint && seen?.head === head && seen?.isOver === isOver) return;
    this.#seen.set(id, { checkpoint, head, isOver });
    this.#sendingOf(run.project).isWanted = true;
    this.#schedule(run.project);
  }

  #sendingOf(project: ProjectName): Sending {
    const known = this.#projects.get(project);
    if (known !== undefined) return known;
    const fresh: Sending = {
      timer: undefined,
      isBusy: false,
      isWanted: true,
      failures: 0,
      lastAt: -Infinity,
    };
    this.#projects.set(project, fresh);
    return fresh;
  }

  #schedule(project: ProjectName): void {
    const sending = this.#sendingOf(project);
    if (this.#state !== "on" || sending.isBusy || !sending.isWanted) return;
    const { clock } = this.#deps.ports;
    const pauseMs = Math.min(EVERY_MS * 2 ** sending.failures, RETRY_MAX_MS);
    const now = clock.monotonicMs();
    const dueAt = Math.max(now, sending.lastAt + pauseMs);
    sending.timer?.cancel();
    sending.timer = clock.after(dueAt - now, () => this.#run(project, sending));
  }

  #run(project: ProjectName, sending: Sending): void {
    if (this.#state !== "on" || sending.isBusy) return;
    sending.isBusy = true;
    sending.isWanted = false;
    this.#push(project)
      .then(() => (sending.failures = 0))
      .catch((error: unknown) => {
        Object.assign(sending, { isWanted: true, failures: sending.failures + 1 });
        this.#deps.onError(error);
        if (sending.failures === TOLD_AFTER) this.#tell(project, error);
      })
      .finally(() => {
        sending.isBusy = false;
        sending.lastAt = this.#deps.ports.clock.monotonicMs();
        this.#schedule(project);
      });
  }

  async #push(project: ProjectName): Promise<void> {
    const { store, ports } = this.#deps;
    const to = (await briefProject(store, project))?.config?.checkpoints?.push;
    if (to === undefined) return;
    const { checkpoints } = await ports.project(project);
    const pushed = await checkpoints?.push({ to });
    if (pushed?.kind === "refused") throw elsewhere(to, pushed.refs);
  }

  #tell(project: ProjectName, error: unknown): void {
    const { notifier, clock } = this.#deps.ports;
    notifier
      .notify({
        key: `checkpoint-push:${project}:${clock.now()}`,
        severity: "warning",
        title: `checkpoints of ${project} do not reach their remote`,
        body: error instanceof Error ? error.message : String(error),
        project,
      })
      .catch(this.#deps.onError);
  }
}

const elsewhere = (to: string, refs: string[]): OperationError =>
  new OperationError(
    `cannot copy ${refs.length} of the checkpoints to ${to}: another machine's are there (${refs.slice(0, 3).join(", ")})`,
    { code: "checkpoints-elsewhere", hint: `pawl recover --from ${to}`, retryable: true },
  );
