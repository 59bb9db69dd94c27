// Looks at what the outside world says of a project (its backlog, reviews, configuration) and
// brings it in as facts. Looked at when something is known to have changed, and slowly otherwise.
import { isDeepStrictEqual } from "node:util";
import type { ProjectConfig } from "../core/config.ts";
import { projectAggregate, runAggregate, type ProjectName } from "../core/ids.ts";
import type { Issue } from "../core/issue.ts";
import { inOrder } from "../core/project/backlog.ts";
import type { Project } from "../core/project/project.ts";
import type { Run } from "../core/run/run.ts";
import { isActive } from "../core/run/run.ts";
import type { Clock, Timer } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { backlogFacts } from "./backlog-facts.ts";
import type { Loop } from "./loop.ts";
import type { Ports, ProjectPorts } from "./ports.ts";

const SLOW_MS = 30_000;

/** Reads pawl.toml as it counts now: at the target's tip, else in the user's checkout. */
export type ReadConfig = (
  project: Project,
  own: ProjectPorts,
) => Promise<
  { kind: "valid"; config: ProjectConfig; source: string } | { kind: "invalid"; problem: string }
>;

export type Observe = {
  /** Something of this project may have changed: look soon. */
  nudge(project: ProjectName): void;
  /** Looks now, and resolves when what was seen is in the journal. */
  look(project: ProjectName): Promise<void>;
  stop(): void;
};

export function createObserve(deps: {
  store: Store;
  ports: Ports;
  loop: Loop;
  clock: Clock;
  scope: (project: ProjectName) => boolean;
  readConfig: ReadConfig;
  onError: (error: unknown) => void;
}): Observe {
  const underWay = new Map<ProjectName, { promise: Promise<void>; again: boolean }>();
  let stopped = false;
  let timer: Timer = deps.clock.after(SLOW_MS, slow);

  /** One look at a time per project; a nudge during a look leads to another one. */
  function look(project: ProjectName): Promise<void> {
    const current = underWay.get(project);
    if (current !== undefined) {
      current.again = true;
      return current.promise;
    }
    const entry = { promise: Promise.resolve(), again: false };
    entry.promise = repeat(project, entry);
    underWay.set(project, entry);
    return entry.promise;
  }

  async function repeat(project: ProjectName, entry: { again: boolean }): Promise<void> {
    try {
      do {
        entry.again = false;
        await lookOnce(project);
      } while (entry.again && !stopped);
    } finally {
      underWay.delete(project);
    }
  }

  async function lookOnce(name: ProjectName): Promise<void> {
    const stored = await deps.store.load(projectAggregate(name));
    if (stopped || stored?.state.kind !== "project") return;
    const project = stored.state;
    const own = await deps.ports.project(name);
    await lookAtConfig(project, own);
    const open = await own.forge.issues({ state: "open" });
    await lookAtBacklog(project, { own, open });
    await lookAtRuns(project, { own, open });
  }

  async function lookAtConfig(project: Project, own: ProjectPorts): Promise<void> {
    const read = await deps.readConfig(project, own);
    const to = projectAggregate(project.name);
    const at = deps.clock.now();
    if (read.kind === "invalid") {
      if (read.problem === project.configProblem) return;
      await deps.loop.submit({ to, event: { kind: "config-rejected", at, problem: read.problem } });
      return;
    }
    const same =
      isDeepStrictEqual(read.config, project.config) && project.configProblem === undefined;
    if (same) return;
    const { config, source } = read;
    await deps.loop.submit({ to, event: { kind: "project-configured", at, config, source } });
  }

  async function lookAtBacklog(
    project: Project,
    seen: { own: ProjectPorts; open: Issue[] },
  ): Promise<void> {
    const issues = await backlogFacts(seen.own.forge, seen.open);
    // The same backlog again is no news, and an idle factory writes nothing.
    if (project.observedAt !== undefined && isDeepStrictEqual(inOrder(issues), project.backlog))
      return;
    await deps.loop.submit({
      to: projectAggregate(project.name),
      event: { kind: "issues-observed", at: deps.clock.now(), issues },
    });
  }

  async function lookAtRuns(
    project: Project,
    seen: { own: ProjectPorts; open: Issue[] },
  ): Promise<void> {
    const openNumbers = new Set(seen.open.map((issue) => issue.number));
    for (const active of project.active) {
      const id = runAggregate(project.name, active.run);
      const run = (await deps.store.load(id))?.state;
      if (run?.kind !== "run" || !isActive(run)) continue;
      if (!openNumbers.has(active.issue)) {
        const at = deps.clock.now();
        await deps.loop.submit({
          to: id,
          event: { kind: "issue-observed", at, state: "closed", labels: [] },
        });
      }
      await lookAtReviews(run, seen.own);
    }
  }

  async function lookAtReviews(run: Run, own: ProjectPorts): Promise<void> {
    if (run.pr === undefined || !run.config.review.required) return;
    const reviews = await own.forge.reviews(run.pr);
    if (reviews.length === 0) return;
    const to = runAggregate(run.project, run.id);
    await deps.loop.submit({
      to,
      event: { kind: "reviews-observed", at: deps.clock.now(), reviews },
    });
  }

  function slow(): void {
    if (stopped) return;
    all()
      .catch(deps.onError)
      .finally(() => {
        if (!stopped) timer = deps.clock.after(SLOW_MS, slow);
      });
  }

  async function all(): Promise<void> {
    for (const { state } of await deps.store.aggregates()) {
      if (state.kind === "project" && deps.scope(state.name)) await look(state.name);
    }
  }

  return {
    look,
    nudge: (project) => {
      look(project).catch(deps.onError);
    },
    stop: () => {
      stopped = true;
      timer.cancel();
    },
  };
}
