// The whole factory on one screen: what it is doing, and what needs a person.
import type { RunView, StatusView, WaitView } from "../../api/runs.ts";
import { noWork } from "../../core/forge-settings.ts";
import type { ProjectName } from "../../core/ids.ts";
import { FACTORY, mailAggregate, projectName, projectOf } from "../../core/ids.ts";
import { rests } from "../../core/merge-queue/attention.ts";
import { isProving } from "../../core/merge-queue/prove.ts";
import type { Queue } from "../../core/merge-queue/queue.ts";
import type { BacklogDigest } from "../../core/project/digest.ts";
import type { Project } from "../../core/project/project.ts";
import { groundFailure } from "../../core/project/ground.ts";
import { placesTaken } from "../../core/project/places.ts";
import { standstill } from "../../core/project/standstill.ts";
import {
  handOffDeadline,
  isOver,
  waitsForBudget,
  shownRef,
  titleOf,
  type Run,
} from "../../core/run/run.ts";
import { asksPerson, takesAnyText, type Gate } from "../../core/gate/gate.ts";
import { waitsOnly } from "../../core/formula/run.ts";
import type { AggregateState } from "../../core/step.ts";
import type { GitWork } from "../../ports/git.ts";
import type { OutboxRow, StoreReader } from "../../ports/store.ts";
import { compareKeys } from "../../store/key-order.ts";
import { homeProblem } from "../host/home-problem.ts";
import type { Paths } from "../host/paths.ts";
import type { Source } from "../webhooks/webhook-health.ts";
import { endedRuns } from "./find-runs.ts";
import { mailWaits } from "./mail.ts";
import { waysOfProject } from "../notify/records.ts";
import { digestAll, type BacklogDigests, type Digested } from "./backlog-digests.ts";
import { budgetWaits } from "./budget-question.ts";
import { blockedWaits } from "./blocked.ts";
import { channelWaits } from "./channels.ts";
import type { Terminal } from "./crash-cause.ts";
import { elsewhere } from "./elsewhere.ts";
import { groundWaits, openTarget } from "./ground.ts";
import { termsOf } from "./terms.ts";
import { forgeWaits } from "./forge-waits.ts";
import { projectProgress, proofProgress } from "./progress.ts";
import { nextDeadline, todayOf } from "./today.ts";
import { vaultWaits } from "./vault.ts";
import { iso } from "./agents.ts";
import { askText, outsideText } from "../../core/words/upstream.ts";
import { keptRuns } from "./kept-workspaces.ts";
import { causeClause, needsPerson, runView, waitsOfRuns } from "./runs.ts";
import { queueView } from "./queue.ts";
import { queueWaits } from "./queue-waits.ts";

/** Runs that ended longer ago, and more of a project, are left to `pawl history`. */
const RECENT_MS = 24 * 60 * 60_000;
const RECENT_MAX = 100;
const LANDED_MAX = 10;

export type StatusContext = {
  store: StoreReader;
  paths: Paths;
  now: number;
  version: string;
  daemon: StatusView["daemon"];
  /** The only project that is shown; undefined for all of them. */
  project: string | undefined;
  /**
   * Of a project without its backlog, the same with the backlog as it is now: where no daemon keeps the
   * journal's copy fresh.
   */
  refresh?: (project: Project) => Promise<Project>;
  /** What is known of backlogs from question to question, where there are several. */
  digests?: BacklogDigests;
  /** Why a project could not be looked at, where a daemon looks. */
  trouble?: (project: ProjectName) => string | undefined;
  /** That a look at it takes long. */
  slow?: (project: ProjectName) => string | undefined;
  /** How changes on its forge are noticed, where a daemon looks. */
  source?: (project: ProjectName) => Source;
  lookedAt?: (project: ProjectName) => number | undefined;
  /** What git is at, where a daemon works. */
  works?: (project: ProjectName) => Promise<GitWork[]>;
  /** How busy runs were, where the reader wants to draw it. */
  activity?: (run: Run) => Promise<number[]>;
  /** What the terminal of a run showed, for why its agent crashed. */
  terminal?: Terminal;
  /** Leaves out the runs that are over: a page has them from the history, one row each. */
  isLiving?: boolean;
};

export async function statusView(context: StatusContext): Promise<StatusView> {
  // What is alive; what is over comes from the history, as far as it is shown.
  const { store, project } = context;
  const stored = await store.aggregates({
    ...(project === undefined ? {} : { project: projectName(project) }),
    isBrief: true,
  });
  const states = stored.map(({ state }) => state);
  const of = <K extends AggregateState["kind"]>(kind: K) =>
    states.filter((state): state is Extract<AggregateState, { kind: K }> => state.kind === kind);
  const digested = await digestAll(stored, context);
  const projects = digested.map(({ project }) => project);
  const runs = of("run");
  const queues = of("queue");
  const ofFactory = (await store.load(mailAggregate(FACTORY)))?.state;
  const factory = ofFactory?.kind === "mail" ? [ofFactory] : [];
  const mail = [...factory, ...of("mail").filter((one) => one.project !== FACTORY)];
  const outbox = (await store.outbox()).filter(
    (row) => project === undefined || projectOf(row.aggregate) === project,
  );
  const kept = await keptRuns(store, projects, { paths: context.paths, living: runs });
  const works = await worksOfAll(projects, context);
  return {
    version: context.version,
    home: context.paths.home,
    daemon: context.daemon,
    projects: digested.map(({ project, digest }) => ({
      ...projectView(project, digest),
      progress: progressOf(project, works, context),
      forge: forgeView(project, context),
      today: todayOf(project, queues, context.now),
    })),
    runs: await runViews([...runs, ...(await endedLately(projects, context))], context, works),
    queue: queues.flatMap((queue) =>
      queueView(queue, context).entries.map((entry) => ({ project: queue.project, ...entry })),
    ),
    waits: [
      ...projects.flatMap((project) => troubleWait(project, context, works)),
      ...projects.flatMap(forgeWaits),
      ...outbox.flatMap(retryWait),
      ...digested.flatMap(projectWaits),
      ...(await waitsOfRuns(runs, context.terminal)),
      ...queues.flatMap((queue) => queueWaits(queue, context.daemon !== null)),
      ...(await blockedOfAll(store, digested)),
      ...kept.map(keptWait),
      ...of("gate").flatMap(gateWaits),
      ...mailWaits(mail, projects[0]?.name),
      ...of("vault").flatMap(vaultWaits),
      ...(await channelWaits(store, projects.flatMap(waysOfProject))),
      ...homeWait(await homeProblem(store), projects[0]?.name),
    ],
    landed: landedOf(queues),
    elsewhere: project === undefined ? [] : await elsewhere(store, projectName(project)),
    next: nextDeadline(runs, context.now),
    idle:
      outbox.length === 0 &&
      isIdle({ digested, runs, queues }) &&
      of("formula").every((run) => run.outcome !== undefined || waitsOnly(run)),
  };
}

function progressOf(
  project: Project,
  works: Map<ProjectName, GitWork[]>,
  { paths }: StatusContext,
): string[] {
  const { name } = project;
  return [...proofProgress(project), ...projectProgress(works.get(name) ?? [], name, paths)];
}

async function blockedOfAll(store: StoreReader, digested: Digested[]): Promise<WaitView[]> {
  const waits = digested.map(({ project: { name }, digest }) => blockedWaits(store, name, digest));
  return (await Promise.all(waits)).flat();
}

async function worksOfAll(
  projects: Project[],
  { works }: StatusContext,
): Promise<Map<ProjectName, GitWork[]>> {
  if (works === undefined) return new Map();
  const found = projects.map(async ({ name }) => [name, await works(name)] as const);
  return new Map(await Promise.all(found));
}

function runViews(
  runs: Run[],
  context: StatusContext,
  works: Map<ProjectName, GitWork[]>,
): Promise<RunView[]> {
  const { activity, terminal, paths, now } = context;
  const sorted = runs.toSorted((a, b) =>
    compareKeys(`${a.project}/${a.id}`, `${b.project}/${b.id}`),
  );
  return Promise.all(
    sorted.map(async (run) => {
      const view = runView(run, { paths, now, works: works.get(run.project) });
      const told = withCause(view, await causeClause(run, terminal));
      return activity === undefined || isOver(run)
        ? told
        : { ...told, activity: await activity(run) };
    }),
  );
}

const withCause = (view: RunView, clause: string): RunView =>
  view.needs_you === null || clause === ""
    ? view
    : { ...view, needs_you: `${view.needs_you}${clause}` };

async function endedLately(
  projects: Project[],
  { store, now, isLiving = false }: StatusContext,
): Promise<Run[]> {
  if (isLiving) return [];
  const query = { endedFrom: now - RECENT_MS, limit: RECENT_MAX };
  const ended = projects.map(({ name }) => endedRuns(store, { ...query, project: name }));
  return (await Promise.all(ended)).flat();
}

function projectView(
  project: Project,
  digest: BacklogDigest,
): Omit<StatusView["projects"][number], "progress" | "forge" | "today"> {
  const { waiting, blocked } = digest;
  // What the journal knows of the labels may be older than the run.
  const taken = new Set(project.active.map(({ issue }) => issue));
  const ready = digest.ready.filter((number) => !taken.has(number));
  return {
    name: project.name,
    root: project.root,
    target: project.config?.target ?? null,
    parallel: project.config?.parallel ?? null,
    paused: standstill(project) ?? null,
    config_problem: project.configProblem ?? null,
    config_hash: project.configHash ?? null,
    terms: termsOf(project),
    is_pushed: project.upstream.kind === "remote",
    backlog: { ready: ready.length, waiting, blocked },
    no_work: noWork(project, digest),
  };
}

/** Of the whole factory: shown with one of its projects, as the factory's mail is. */
const homeWait = (why: string | undefined, project: string | undefined): WaitView[] =>
  why === undefined || project === undefined
    ? []
    : [{ project, about: "disk", why, needs_you: true, command: "pawl doctor" }];

/** A person's gate from the beginning, any other when it has waited too long. */
function gateWaits(gate: Gate): WaitView[] {
  if (!asksPerson(gate)) return [];
  const command = `pawl escalation answer gate:${gate.id} "${takesAnyText(gate) ? "…" : "close: …"}"`;
  const why = gate.spec.kind === "human" ? gate.spec.question : `still open: ${gate.title}`;
  const about = `gate ${gate.id}`;
  return [{ project: gate.project, about, why, needs_you: true, command, question: true }];
}

function forgeView(
  { config, name }: Project,
  context: Pick<StatusContext, "source" | "lookedAt">,
): StatusView["projects"][number]["forge"] {
  const source = context.source?.(name);
  const lookedAt = context.lookedAt?.(name);
  if (config?.forge === undefined || source === undefined) return null;
  return {
    kind: config.forge.kind,
    source: source.kind,
    heard_at: source.deliveredAt === undefined ? null : iso(source.deliveredAt),
    looked_at: lookedAt === undefined ? null : iso(lookedAt),
    trouble: source.kind === "polling" ? (source.trouble ?? null) : null,
  };
}

type Parts = { digested: Digested[]; runs: Run[]; queues: Queue[] };

/** The next look may succeed by itself, but until then nothing new is begun. */
function troubleWait(
  project: Project,
  { trouble, slow }: Pick<StatusContext, "trouble" | "slow">,
  works: Map<ProjectName, GitWork[]>,
): WaitView[] {
  const failed = trouble?.(project.name);
  // A fetch that tells how far it is takes its time.
  const isMoving = (works.get(project.name) ?? []).length > 0;
  const late = isMoving ? undefined : slow?.(project.name);
  const why = failed === undefined ? late : `cannot be checked: ${failed}`;
  if (why === undefined) return [];
  return [{ project: project.name, about: "project", why, needs_you: true, command: null }];
}

/** What has failed more than once by now; it is tried again by itself. */
function retryWait({ aggregate, effect, attempts, notBefore }: OutboxRow): WaitView[] {
  if (attempts < 2) return [];
  const again = new Date(notBefore).toISOString();
  const why = `${effect.kind} failed ${attempts} times; Pawl tries again at ${again}`;
  return [
    { project: projectOf(aggregate), about: aggregate, why, needs_you: false, command: null },
  ];
}

function projectWaits({ project, digest }: Digested): WaitView[] {
  const wait = (about: string, why: string, command: string | null): WaitView => ({
    project: project.name,
    about,
    why,
    needs_you: true,
    command,
  });
  const rings = digest.rings.map((ring) =>
    wait("backlog", `issues wait for each other: ${ring.map((n) => `#${n}`).join(" → ")}`, null),
  );
  const problem =
    project.configProblem === undefined
      ? []
      : [
          wait(
            "pawl.toml",
            `pawl.toml is invalid, so Pawl still uses the last valid version: ${project.configProblem}`,
            null,
          ),
        ];
  const target = project.paused === undefined ? groundWaits(project) : [];
  const open = openTarget(project);
  const outside = (project.outside ?? [])
    .filter((one) => !one.acknowledged)
    .map(
      ({ commit, subject }) =>
        ({
          ...wait("target", outsideText(commit, subject), "pawl merge-queue resume"),
          act: { kind: "resume-queue" },
        }) as const,
    );
  const asked = project.askedUpstream;
  const upstream =
    asked === undefined ? [] : [wait("upstream", askText(project.upstream, asked), "pawl init")];
  const budget = budgetWaits(project);
  const why = standstill(project);
  const isSaid = target.length > 0 || (budget.length > 0 && project.paused === undefined);
  const paused = why === undefined || isSaid ? [] : [wait("project", `paused: ${why}`, null)];
  return [...target, ...open, ...paused, ...budget, ...problem, ...outside, ...upstream, ...rings];
}

const keptWait = (run: Run): WaitView => ({
  project: run.project,
  about: `${shownRef(run)} ${titleOf(run)}`,
  why: run.kept?.why ?? "",
  needs_you: true,
  command: "pawl doctor --fix",
});

function landedOf(queues: Queue[]): StatusView["landed"] {
  return queues
    .flatMap((queue) =>
      queue.past
        .filter(({ end }) => end.kind === "merged")
        .map(({ branch, leftAt }) => ({ project: queue.project, branch, at: iso(leftAt) })),
    )
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, LANDED_MAX);
}

/** Nothing moves any more until a person acts or new work comes. */
function isIdle({ digested, runs, queues }: Parts): boolean {
  const still = new Set(queues.filter(rests).map((queue) => queue.project));
  const resting = runs.every(
    (run) =>
      isOver(run) ||
      // Who was asked to save and leave is still at it.
      (needsPerson(run) !== null && handOffDeadline(run) === undefined) ||
      run.held !== undefined ||
      waitsForBudget(run) ||
      run.unready === "waits" ||
      (run.stage.kind === "queued" && still.has(run.project)),
  );
  // What failed may be found green in a moment.
  const proving = new Set(queues.filter(isProving).map((queue) => queue.project));
  const full = (project: Project): boolean =>
    project.paused !== undefined ||
    project.closed !== undefined ||
    (groundFailure(project) !== undefined && !proving.has(project.name)) ||
    placesTaken(project) >= (project.config?.parallel ?? 0);
  const started = digested.every(
    ({ project, digest }) =>
      full(project) ||
      (digest.ready.length <= project.active.length &&
        digest.ready.every((number) => project.active.some(({ issue }) => issue === number))),
  );
  const given = digested.every(({ project }) => full(project) || project.tasks.length === 0);
  return resting && started && given && still.size === queues.length;
}
