// What the routes have at hand, and how a request finds its project.
import { dirname } from "node:path";
import type { Context } from "hono";
import { projectAggregate, projectName, runAggregate, type ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { isOver, type Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { Engine } from "../engine.ts";
import type { Paths } from "../paths.ts";
import type { Ports } from "../ports.ts";

export type Routes = {
  store: StoreReader;
  ports: Ports;
  paths: Paths;
  version: string;
  daemon: { pid: number; since: string; version: string } | null;
  /** Undefined where the store is open for reading only. */
  engine: Engine | undefined;
  /** Registers the project that contains a folder, where its repository has a pawl.toml. */
  register: ((folder: string) => Promise<ProjectName>) | undefined;
  /** Ends the daemon after the answer is sent. */
  shutDown: ((options: { killAgents: boolean }) => Promise<void>) | undefined;
};

export function engineOf(routes: Routes): Engine {
  if (routes.engine !== undefined) return routes.engine;
  throw new OperationError("this needs to write, and the journal is open for reading only", {
    code: "read-only",
  });
}

/** `?project=` by name, else the registered project whose folder holds the caller's. */
export async function projectFor(routes: Routes, request: Context): Promise<Project> {
  const named = request.req.query("project");
  if (named !== undefined) return loadProject(routes, projectName(named));
  const cwd = decodeURIComponent(request.req.header("x-pawl-cwd") ?? "");
  const found = (await projects(routes)).find((project) => contains(project.root, cwd));
  if (found !== undefined) return found;
  if (routes.register !== undefined) return loadProject(routes, await routes.register(cwd));
  throw new OperationError(`${cwd} belongs to no registered project`, {
    code: "no-project",
    hint: "run `pawl init` in the repository, or name a project with --project",
  });
}

export async function loadProject(routes: Routes, name: ProjectName): Promise<Project> {
  const stored = await routes.store.load(projectAggregate(name));
  if (stored?.state.kind === "project") return stored.state;
  const known = (await projects(routes)).map((project) => project.name);
  throw new OperationError(`there is no project "${name}"`, {
    code: "no-project",
    hint: known.length === 0 ? "run `pawl init` in a repository" : `known: ${known.join(", ")}`,
  });
}

export async function projects(routes: Routes): Promise<Project[]> {
  const stored = await routes.store.aggregates();
  return stored.flatMap(({ state }) => (state.kind === "project" ? [state] : []));
}

function contains(root: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (at === root) return true;
    if (at === dirname(at)) return false;
  }
}

/** A run by issue number (the newest attempt), run id or identity. */
export async function runFor(routes: Routes, request: Context): Promise<Run> {
  const ref = request.req.param("ref") ?? "";
  const project = await projectFor(routes, request);
  const stored = await routes.store.aggregates({ project: project.name });
  const runs = stored.flatMap(({ state }) => (state.kind === "run" ? [state] : []));
  const wanted = ref.replace(/^#/, "");
  const found = runs
    .filter(
      (run) => run.id === wanted || run.identity === wanted || String(run.issue.number) === wanted,
    )
    .toSorted((a, b) => a.attempt - b.attempt)
    .at(-1);
  if (found !== undefined) return found;
  throw new OperationError(`there is no run for "${ref}" in project ${project.name}`, {
    code: "no-run",
    hint: "see `pawl status`; name an issue number, a run or an identity",
  });
}

export const aggregateOf = (run: Run) => runAggregate(run.project, run.id);

/** A person's wish for a run that is over would be lost in silence: it is refused instead. */
export function mustGoOn(run: Run, wish: string): void {
  if (!isOver(run)) return;
  throw new OperationError(`cannot ${wish} run ${run.id}: it is over`, {
    code: "run-over",
    hint: "remove the label `blocked` from its issue to have it tried again",
  });
}
