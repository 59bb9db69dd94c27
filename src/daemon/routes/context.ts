// What the routes have at hand, and how a request finds its project.
import { dirname } from "node:path";
import type { Context } from "hono";
import type { z } from "zod";
import { SESSION_HEADER } from "../../api/session-rights.ts";
import { projectAggregate, projectName, runAggregate, type ProjectName } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { isOver, issueOf, type Run } from "../../core/run/run.ts";
import { runNamed } from "../views/find-runs.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { ChangeFeed } from "../publishing/change-feed.ts";
import type { Engine } from "../engine/engine.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import type { Page } from "../page/start-page.ts";

export type Request = Context;

export type Routes = {
  store: StoreReader;
  ports: Ports;
  paths: Paths;
  version: string;
  daemon: {
    pid: number;
    since: string;
    version: string;
    build?: string;
    /** `pawl run` in a terminal. */
    foreground?: true;
  } | null;
  /** Undefined where the store is open for reading only. */
  engine: Engine | undefined;
  /** Undefined where no daemon serves it. */
  feed: ChangeFeed | undefined;
  /** Registers the project that contains a folder, where its repository has a pawl.toml. */
  register: Register | undefined;
  /** The page in a browser; undefined where no daemon serves it. */
  page: (() => Page | undefined) | undefined;
  /** Ends the daemon after the answer is sent. */
  shutDown: ((options: { killAgents: boolean }) => Promise<void>) | undefined;
};

export type Register = (folder: string, options?: { agrees?: boolean }) => Promise<ProjectName>;

export function engineOf(routes: Routes): Engine {
  if (routes.engine !== undefined) return routes.engine;
  throw new OperationError("this needs to write, and the journal is open for reading only", {
    code: "read-only",
  });
}

/**
 * `?project=` by name, else the registered project whose folder holds the caller's. A request that
 * writes registers the project of its folder; a question changes nothing, because a daemon would
 * start agents there, and neither does a session.
 */
export async function projectFor(routes: Routes, request: Context): Promise<Project> {
  const asked = askedIn(request);
  const found = await knownProject(routes, asked);
  if (found !== undefined) return found;
  const { cwd } = asked;
  const isQuestion = request.req.method === "GET";
  const isSession = request.req.header(SESSION_HEADER) !== undefined;
  if (routes.register !== undefined && !isQuestion && !isSession)
    return loadProject(routes, await routes.register(cwd));
  throw await noProject(routes, cwd);
}

async function noProject(routes: Pick<Routes, "store">, cwd: string): Promise<OperationError> {
  const known = (await projects(routes)).map(({ name }) => name);
  const other =
    known.length === 0 ? "" : `, or name a project with --project (known: ${known.join(", ")})`;
  return new OperationError(`${cwd} belongs to no registered project`, {
    code: "no-project",
    hint: `run \`pawl init\` in the repository${other}`,
  });
}

/** As `projectFor`, for a question that does not come through the API; without the backlog. */
export async function projectAsked(
  routes: Pick<Routes, "store">,
  { project, cwd }: Omit<Asked, "all">,
): Promise<Project> {
  const name = project ?? (await projectAround(routes, cwd));
  if (name === undefined) throw await noProject(routes, cwd);
  const found = (await projects(routes)).find((one) => one.name === name);
  return found ?? loadProject(routes, projectName(name));
}

const cwdOf = ({ req }: Context): string => decodeURIComponent(req.header("x-pawl-cwd") ?? "");

async function knownProject(
  routes: Pick<Routes, "store">,
  { project, cwd }: Omit<Asked, "all">,
): Promise<Project | undefined> {
  if (project !== undefined) return loadProject(routes, projectName(project));
  const around = await projectAround(routes, cwd);
  return around === undefined ? undefined : loadProject(routes, around);
}

/** The registered project whose folder holds this one; of nested ones the innermost. */
async function projectAround(
  routes: Pick<Routes, "store">,
  folder: string,
): Promise<ProjectName | undefined> {
  const around = (await projects(routes)).filter((project) => contains(project.root, folder));
  return around.toSorted((a, b) => b.root.length - a.root.length).at(0)?.name;
}

export type Asked = { all: boolean; project: string | undefined; cwd: string };

/**
 * Which projects a question about the factory means: the named one, else the one around the
 * caller's folder, else all. Unlike `projectFor` it never registers and never fails for a folder.
 */
export async function scopeFor(
  routes: Pick<Routes, "store">,
  { all, project, cwd }: Asked,
): Promise<(name: ProjectName) => boolean> {
  const only = await projectMeant(routes, { all, project, cwd });
  return (name) => only === undefined || name === only;
}

/** Undefined: all of them. */
export async function projectMeant(
  routes: Pick<Routes, "store">,
  { all, project, cwd }: Asked,
): Promise<ProjectName | undefined> {
  if (all) return undefined;
  if (project !== undefined) return (await loadProject(routes, projectName(project))).name;
  return projectAround(routes, cwd);
}

export const scopeOf = (
  routes: Routes,
  request: Request,
): Promise<(name: ProjectName) => boolean> => scopeFor(routes, askedIn(request));

/** As `scopeOf`, by its name; undefined where all projects are meant. */
export const onlyProject = (routes: Routes, request: Request): Promise<ProjectName | undefined> =>
  projectMeant(routes, askedIn(request));

const askedIn = (request: Request): Asked => ({
  all: request.req.query("all") === "true",
  project: request.req.query("project"),
  cwd: cwdOf(request),
});

/** The request's body, checked. What is wrong with it becomes a sentence in app.ts. */
export async function bodyOf<T extends z.ZodType>(
  request: Request,
  schema: T,
): Promise<z.output<T>> {
  let body: unknown;
  try {
    body = await request.req.json();
  } catch (cause) {
    throw new OperationError("the body of the request is not JSON", { code: "usage", cause });
  }
  return schema.parse(body);
}

export async function loadProject(
  routes: Pick<Routes, "store">,
  name: ProjectName,
): Promise<Project> {
  const stored = await routes.store.load(projectAggregate(name));
  if (stored?.state.kind === "project") return stored.state;
  const known = (await projects(routes)).map((project) => project.name);
  throw new OperationError(`there is no project "${name}"`, {
    code: "no-project",
    hint: known.length === 0 ? "run `pawl init` in a repository" : `known: ${known.join(", ")}`,
  });
}

/** Without their backlogs. */
export async function projects(routes: Pick<Routes, "store">): Promise<Project[]> {
  const stored = await routes.store.aggregates({ kind: "project", isBrief: true });
  return stored.flatMap(({ state }) => (state.kind === "project" ? [state] : []));
}

function contains(root: string, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (at === root) return true;
    if (at === dirname(at)) return false;
  }
}

/** A run by issue number (the newest attempt), PR number, run id, identity or branch. */
export const runFor = (routes: Routes, request: Context): Promise<Run> =>
  findRun(routes, request, request.req.param("ref") ?? "");

export async function findRun(routes: Routes, request: Context, ref: string): Promise<Run> {
  const project = await projectFor(routes, request);
  const found = await runNamed(routes.store, project.name, ref);
  if (found !== undefined) return found;
  throw new OperationError(`there is no run for "${ref}" in project ${project.name}`, {
    code: "no-run",
    hint: "see `pawl status`; name an issue, a PR, a branch, a run or an identity",
  });
}

export const aggregateOf = (run: Run) => runAggregate(run.project, run.id);

/** A person's wish for a run that is over would be lost in silence: it is refused instead. */
export function mustGoOn(run: Run, wish: string): void {
  if (!isOver(run)) return;
  const issue = issueOf(run);
  const again =
    issue === undefined || run.outcome?.kind === "landed"
      ? { hint: "`pawl history` lists what has ended" }
      : { hint: `\`pawl retry ${issue}\` tries it again` };
  const how = run.outcome === undefined ? "is over" : `is over (${run.outcome.kind})`;
  throw new OperationError(`cannot ${wish} run ${run.id}: it ${how}`, {
    code: "run-over",
    ...again,
  });
}
