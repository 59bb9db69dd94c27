// What an executor of effects has at hand, and the shape it has.
import type { Effect, EffectKind } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import type { Formula } from "../../core/formula/formula.ts";
import { type AggregateId, type ProjectName } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { assert } from "../../lib/assert.ts";
import type { Store } from "../../ports/store.ts";
import { briefProject, type BriefProject } from "../engine/brief-project.ts";
import type { ReadConfig } from "../observing/observe-project.ts";
import type { Input } from "../engine/loop.ts";
import type { Frame } from "../../ports/walls.ts";
import type { Paths } from "../host/paths.ts";
import { frameOf } from "../host/walls.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";
import type { Fixed } from "../patrol/doctor.ts";

export type EffectContext = {
  key: string;
  aggregate: AggregateId;
  project: ProjectName;
  ports: Ports;
  own: ProjectPorts;
  paths: Paths;
  store: Store;
  signal: AbortSignal;
  readConfig: ReadConfig;
  now: () => number;
  /**
   * Only one of making, saving and removing this identity's workspace happens at a time. An effect that is
   * cancelled while it waits for its turn is not begun: the workspace may belong to another run by
   * then.
   */
  inWorkspace: <T>(identity: string, work: () => Promise<T>) => Promise<T>;
  /** A fact on the way to the outcome. */
  report: (event: Event) => Promise<void>;
  /** A fact for any aggregate. */
  submit: (input: Input) => Promise<boolean>;
  /** Published copies of this aggregate are on disk. */
  published: () => Promise<void>;
  /** A look at this run's session in this epoch: what it said is taken in, what is seen returned. */
  look: (epoch: number) => Promise<Event>;
  /** What this run's session said last is taken in: its processes are gone. */
  hearLast: (run: Run, epoch: number) => Promise<void>;
  /** Starts a component of this project again. */
  restart: (component: string) => Promise<void>;
  findFormula: FindFormula;
  listFormulas: ListFormulas;
  /** Set where a keeper restarts this daemon when it ends. */
  keeper: Keeper | undefined;
  /** Lets the doctor clean up. */
  fix: () => Promise<Fixed>;
};

/** `since`: when this daemon began; `renew`: ends it, so that another one starts. */
export type Keeper = { since: number; renew: () => void };

export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>;

/** The formula of this name in a project, usable; what is wrong with it is thrown. */
export type FindFormula = (
  place: { root: string; own: ProjectPorts },
  name: string,
) => Promise<{ formula: Formula; source: string }>;

/** Those of a project that can be used. */
export type ListFormulas = (place: {
  root: string;
  own: ProjectPorts;
}) => Promise<{ name: string; description: string }[]>;

/** Carrying one out twice must be harmless: a crash may come before the outcome is written down. */
export type Executor<K extends EffectKind> = (
  effect: EffectOf<K>,
  context: EffectContext,
) => Promise<Event | undefined>;

export type Executors<K extends EffectKind> = { [Kind in K]: Executor<Kind> };

export async function currentProject({ store, project }: EffectContext): Promise<BriefProject> {
  const found = await briefProject(store, project);
  assert(found !== undefined, `${project} is not a project`);
  return found;
}

/** The walls that commands of this project run in, by its configuration of now; undefined: none. */
export async function wallsOf(context: EffectContext): Promise<Frame | undefined> {
  const { project, paths } = context;
  const { config, root } = await currentProject(context);
  return frameOf(config, { project, root, paths });
}

/** The run as it is now. Effects carry what must not change; the rest is read at the last moment. */
export async function currentRun(context: EffectContext): Promise<Run> {
  const stored = await context.store.load(context.aggregate);
  assert(stored?.state.kind === "run", `${context.aggregate} is not a run`);
  return stored.state;
}
