// The simulated world: repositories, forges, session folders and processes, which live on while
// daemons come and go. It owns the truth and tells it to the checkers; it decides nothing.
import type { Spent } from "../src/core/budget.ts";
import type { AccountLimit, Meter, Terms } from "../src/core/gateway/meter.ts";
import { projectName, type Commit, type ProjectName, type RunId } from "../src/core/ids.ts";
import { createPrng, type Prng } from "../src/lib/prng.ts";
import { createMemoryStore } from "../src/store/memory.ts";
import { pathsOf, type Paths } from "../src/daemon/host/paths.ts";
import type { ExitRecord } from "../src/ports/terminal.ts";
import type { ResultFile } from "../src/core/task.ts";
import type { Store } from "../src/ports/store.ts";
import { CiRecords } from "./ci-server.ts";
import type { Fact } from "./fact.ts";
import type { SimCommand } from "./fakes/commands.ts";
import { Poison } from "./fakes/death-notes.ts";
import { SimClock } from "./fakes/clock.ts";
import { Faults } from "./faults.ts";
import { ForgeRecords } from "./fakes/forge-records.ts";
import { hasCiServer, type Options } from "./options.ts";
import { Ready } from "./ready.ts";
import { Repository, type Files } from "./repository.ts";

export type Workspace = {
  branch: string;
  head: Commit;
  files: Files;
  complete: boolean;
  /** A person wrote here between two lives: saved with what comes next. */
  handEdited: boolean;
  /** Holds a file that is too large to be saved. */
  unsavable?: boolean;
};

export type SimProject = {
  name: ProjectName;
  repository: Repository;
  forge: ForgeRecords;
  target: Commit;
  /** What the hub last saw of the target. */
  branches: Map<string, Commit>;
  upstreamBranches: Map<string, Commit>;
  /** What the hub remembers to have pushed. */
  pushed: Map<string, Commit>;
  queueRefs: Map<string, Commit>;
  /** Which heads a built candidate is made of, and which of them are on the target. */
  madeOf: Map<Commit, { below: Commit; heads: Commit[] }>;
  landedHeads: Set<Commit>;
  /** What the resolver made, by what it was given; and the commits that hold some of it. */
  resolved: Map<string, string>;
  resolvedTips: Set<Commit>;
  checkpoints: Map<string, Commit>;
  /** Which branch was checked out when a checkpoint was made. */
  savedBranch: Map<Commit, string>;
  workspaces: Map<string, Workspace>;
  /** Watchers of the files of the workspace at a path. */
  fileWatchers: Map<string, Set<() => void>>;
  checkedTrees: Map<string, boolean>;
  /** Issues that the forge refused for good to settle: their labels stay as they were. */
  unsettled: Set<number>;
  /** No workspace can be set up before then. */
  noSetUpUntil: number;
  /** Only where the project names one. */
  ciServer?: CiRecords;
};

export type SessionFolder = {
  path: string;
  prompt: string;
  phase: { stamp: string; text: string; result?: ResultFile } | undefined;
  spool: Map<string, string>;
  inboxNew: Map<string, string>;
  /** What Pawl types: a hook takes it only with its own prompt. */
  inboxTyped: Map<string, string>;
  /** Those of them that Enter was pressed for. */
  inboxSent: Set<string>;
  inboxCur: Map<string, string>;
  exit: ExitRecord | undefined;
  pid: number | undefined;
  /** Called when something in the folder changed, or its process is gone. */
  watchers: Set<(gone: boolean) => void>;
  /** Called when a message arrives: how a waiting agent notices. */
  onMail: (() => void) | undefined;
};

export type Process = {
  pid: number;
  startTime: string;
  project: ProjectName;
  identity: string;
  run: RunId;
  epoch: number;
  folder: SessionFolder;
  workspace: string;
  /** The wrapper, and what the agent left running in the background. */
  alive: boolean;
  leftover: boolean;
  attached: boolean;
  /** No signal ends it before that. */
  stubbornUntil: number;
  /** What it has used. */
  tokens: number;
  /** What its prompt box holds, and whose paste was the last, where messages are typed. */
  box: string;
  pasted: string | undefined;
  /** The prompts that it accepted and has not read yet. */
  prompts: { id: string; text: string }[];
  /** Its hooks do not work. */
  isDeaf: boolean;
  /** When its host last said that it waits for its model. */
  saidWaitingAt?: number;
};

export type Failure = { checker: string; message: string; atMs: number };

export class World {
  readonly clock: SimClock;
  /** Where answers of ports arrive in a random order. */
  readonly ready: Ready | undefined;
  readonly store: Store = createMemoryStore();
  readonly paths: Paths = pathsOf("/sim", "/sim/run");
  readonly projects = new Map<ProjectName, SimProject>();
  readonly folders = new Map<string, SessionFolder>();
  readonly processes = new Map<number, Process>();
  /** Those of them that are alive: a simulation has thousands that were. */
  readonly living = new Set<Process>();
  /** All there ever were, by the marks they carry. */
  readonly marked = new Map<string, Process[]>();
  /** Copies of the state, by their path. */
  readonly published = new Map<string, string>();
  /** The gateway of each life, by its folder. */
  readonly gateways = new Map<string, { meter: Meter; terms: Terms; before: Spent }>();
  /** Of the one key that all sessions use, where there are gateways. */
  keyLimit: AccountLimit | undefined;
  /** What formulas have had run, by the folder of the attempt. */
  readonly commands = new Map<string, SimCommand>();
  /** Those that had not ended when the last folder was cleared: a simulation has thousands that had. */
  readonly unendedCommands = new Map<string, SimCommand>();
  /** Runs whose every life crashes, or whose every answer or work is wrong. */
  readonly doomed = new Map<string, boolean>();
  readonly poison = new Poison();
  readonly faults: Faults;
  readonly prng: {
    agents: Prng;
    people: Prng;
    ci: Prng;
    others: Prng;
    tasks: Prng;
    tokens: Prng;
    formulas: Prng;
    vault: Prng;
    roles: Prng;
    labels: Prng;
    ciServer: Prng;
    hasty: Prng;
    config: Prng;
    stranger: Prng;
    hooks: Prng;
  };
  readonly options: Options;
  failure: Failure | undefined;
  /** Only these checkers end the simulation, to learn whether they find something. */
  wanted: readonly string[] | undefined;
  /** What the others saw meanwhile. */
  readonly overlooked = new Set<string>();
  /** Everything that would listen: checkers and the story. */
  readonly listeners: ((fact: Fact) => void)[] = [];
  /** Copies are published all the time: only who asks for it hears of them. */
  readonly publishedListeners: ((path: string, content: string) => void)[] = [];
  #stamps = 0;
  #calls = 0;

  constructor(seed: number, options: Options) {
    this.options = options;
    this.faults = new Faults(seed, options.rates);
    const root = createPrng(seed);
    this.prng = {
      agents: root.fork(),
      people: root.fork(),
      ci: root.fork(),
      others: root.fork(),
      tasks: root.fork(),
      tokens: root.fork(),
      formulas: root.fork(),
      vault: root.fork(),
      roles: root.fork(),
      labels: root.fork(),
      ciServer: root.fork(),
      hasty: root.fork(),
      config: root.fork(),
      stranger: root.fork(),
      hooks: root.fork(),
    };
    const isAnyOrder = options.anyOrder === true;
    this.clock = new SimClock(isAnyOrder ? root.fork() : undefined);
    this.ready = isAnyOrder ? new Ready(root.fork()) : undefined;
    for (let index = 0; index < options.projects; index += 1) {
      const project = createProject(projectName(`p${index + 1}`), this.clock);
      if (hasCiServer(options)) project.ciServer = new CiRecords(this, project);
      this.projects.set(project.name, project);
    }
  }

  tell(fact: Fact): void {
    for (const listener of this.listeners) listener(fact);
  }

  fail(checker: string, message: string): void {
    if (this.wanted?.includes(checker) === false && !NO_WAY_ON.has(checker)) {
      this.overlooked.add(checker);
      return;
    }
    this.failure ??= { checker, message, atMs: this.clock.monotonicMs() };
  }

  /** Every call of a daemon passes here: one that calls without end would stop the simulation. */
  countCall(call: string): void {
    this.#calls += 1;
    if (this.#calls > CALLS_MAX) this.fail("busy", `the daemon calls ${call} without end`);
  }

  resetCalls(): void {
    this.#calls = 0;
  }

  /** Something that differs every time. */
  stamp(): string {
    this.#stamps += 1;
    return `s${this.#stamps}`;
  }

  project(name: ProjectName): SimProject {
    const found = this.projects.get(name);
    if (found === undefined) throw new Error(`no simulated project ${name}`);
    return found;
  }

  folder(path: string): SessionFolder {
    let found = this.folders.get(path);
    if (found === undefined) {
      found = emptyFolder(path);
      this.folders.set(path, found);
    }
    return found;
  }

  /** Pawl or others move the target. */
  moveTarget(project: SimProject, to: Commit, by: "pawl" | "others"): void {
    const from = project.target;
    project.target = to;
    for (const head of headsBetween(project, from, to)) project.landedHeads.add(head);
    this.tell({ kind: "target-moved", project: project.name, from, to, by });
    project.ciServer?.pushed(to);
  }

  /** A branch of Pawl's; without `to` it goes. */
  moveUpstream(
    project: SimProject,
    { branch, to }: { branch: string; to: Commit | undefined },
    by: "pawl" | "others" = "pawl",
  ): void {
    if (to === undefined) project.upstreamBranches.delete(branch);
    else project.upstreamBranches.set(branch, to);
    this.tell({ kind: "upstream-moved", project: project.name, branch, to, by });
    if (to !== undefined) project.ciServer?.pushed(to);
  }
}

/** The heads that go onto the target when it moves along a candidate, one step of it or many. */
export function headsBetween(project: SimProject, from: Commit, to: Commit): Commit[] {
  const heads: Commit[] = [];
  let tip = to;
  while (tip !== from) {
    const made = project.madeOf.get(tip);
    if (made === undefined) break;
    heads.unshift(...made.heads);
    tip = made.below;
  }
  return heads;
}

/** After these a simulation cannot go on. */
const NO_WAY_ON: ReadonlySet<string> = new Set(["busy", "simulator"]);

/** Between two moments of simulated time; more means a loop that never waits. */
const CALLS_MAX = 20_000;

function createProject(name: ProjectName, clock: SimClock): SimProject {
  const repository = new Repository();
  const tree = repository.tree(new Map([["readme.txt", "a project"]]));
  const target = repository.commit({ tree, parents: [], message: "begin" });
  return {
    name,
    repository,
    forge: new ForgeRecords(() => clock.now()),
    target,
    branches: new Map(),
    upstreamBranches: new Map(),
    pushed: new Map(),
    queueRefs: new Map(),
    madeOf: new Map(),
    landedHeads: new Set(),
    resolved: new Map(),
    resolvedTips: new Set(),
    checkpoints: new Map(),
    savedBranch: new Map(),
    workspaces: new Map(),
    fileWatchers: new Map(),
    checkedTrees: new Map(),
    unsettled: new Set(),
    noSetUpUntil: 0,
  };
}

const emptyFolder = (path: string): SessionFolder => ({
  path,
  prompt: "",
  phase: undefined,
  spool: new Map(),
  inboxNew: new Map(),
  inboxTyped: new Map(),
  inboxSent: new Set(),
  inboxCur: new Map(),
  exit: undefined,
  pid: undefined,
  watchers: new Set(),
  onMail: undefined,
});

type Inbox = Map<string, string>;

/** Undefined where it is not there: the first one to move it has it. */
export function moveMessage(id: string, from: Inbox, to: Inbox): string | undefined {
  const text = from.get(id);
  if (text === undefined) return undefined;
  from.delete(id);
  to.set(id, text);
  return text;
}

/** Wakes the watchers of this folder. */
export function folderChanged(folder: SessionFolder, gone: boolean): void {
  for (const watcher of folder.watchers) watcher(gone);
}

/** Tells the watchers of the files of the workspace at this path. */
export function workspaceChanged({ fileWatchers }: SimProject, path: string): void {
  for (const watcher of fileWatchers.get(path) ?? []) watcher();
}

/** The content of a workspace: the commit it stands on, and its files as they are now. */
export const contentOf = (project: SimProject, workspace: Workspace): string =>
  `${workspace.head} ${project.repository.tree(workspace.files)}`;
