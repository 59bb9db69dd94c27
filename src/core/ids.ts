// Branded ids, so that a run's id cannot be passed where a commit is meant.
// They are plain strings at run time; the brands exist for the compiler only.
declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** The name of a project in this factory, as in `[project] name`. */
export type ProjectName = Brand<string, "ProjectName">;
/** One attempt at one issue: `{issue}.{attempt}`, e.g. `42.1`. Unique within its project. */
export type RunId = Brand<string, "RunId">;
/** A full commit id. */
export type Commit = Brand<string, "Commit">;
/** A full tree id. */
export type Tree = Brand<string, "Tree">;
/** The id of one life of an identity: `{identity}-{epoch}@{project}`. */
export type SessionId = Brand<string, "SessionId">;

export const projectName = (value: string): ProjectName => value as ProjectName;
export const runId = (value: string): RunId => value as RunId;
/** What belongs to the factory itself, which is no project. */
export const FACTORY = projectName("-");
export const commitId = (value: string): Commit => value as Commit;
export const treeId = (value: string): Tree => value as Tree;

export const sessionId = (project: ProjectName, identity: string, epoch: number): SessionId =>
  `${identity}-${epoch}@${project}` as SessionId;

/**
 * State is kept per aggregate. Each has one step function; a transaction loads and saves whole
 * aggregates only, so that several hosts can share a store later.
 */
export type AggregateId =
  | `project:${string}`
  | `run:${string}/${string}`
  | `queue:${string}`
  | `mail:${string}`
  | `formula:${string}/${string}`
  | `patrol:${string}/${string}`
  | `plugin:${string}`
  | `reviews:${string}`
  | `schedule:${string}`
  | `gate:${string}/${string}`
  | `vault:${string}/${string}`
  | `action:${string}/${string}`;

export const projectAggregate = (project: ProjectName): AggregateId => `project:${project}`;
export const queueAggregate = (project: ProjectName): AggregateId => `queue:${project}`;
export const patrolAggregate = (project: ProjectName, name: string): AggregateId =>
  `patrol:${project}/${name}`;
export const pluginAggregate = (project: ProjectName): AggregateId => `plugin:${project}`;
export const scheduleAggregate = (project: ProjectName): AggregateId => `schedule:${project}`;
export const mailAggregate = (project: ProjectName): AggregateId => `mail:${project}`;
export const reviewsAggregate = (project: ProjectName): AggregateId => `reviews:${project}`;
export const runAggregate = (project: ProjectName, run: RunId): AggregateId =>
  `run:${project}/${run}`;
export const actionAggregate = (project: ProjectName, issue: number): AggregateId =>
  `action:${project}/${issue}`;
export const formulaAggregate = (project: ProjectName, id: string): AggregateId =>
  `formula:${project}/${id}`;
export const gateAggregate = (project: ProjectName, id: string): AggregateId =>
  `gate:${project}/${id}`;

export const vaultAggregate = (project: ProjectName, id: string): AggregateId =>
  `vault:${project}/${id}`;

/** What an id begins with. */
export type AggregateKind = AggregateId extends `${infer Kind}:${string}` ? Kind : never;

export const kindOf = (aggregate: AggregateId): AggregateKind =>
  aggregate.slice(0, aggregate.indexOf(":")) as AggregateKind;

/** The project an aggregate belongs to. */
export function projectOf(aggregate: AggregateId): ProjectName {
  const rest = aggregate.slice(aggregate.indexOf(":") + 1);
  const slash = rest.indexOf("/");
  return projectName(slash === -1 ? rest : rest.slice(0, slash));
}
