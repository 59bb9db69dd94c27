// Why does nothing happen here? Decisions not to act are evidence too.
import { entryNamed, plainLines } from "../../api/queue-names.ts";
import { plainSpans, relativeText, spanText, withRelativeTimes } from "../../api/spans.ts";
import { explain } from "../../core/merge-queue/explain.ts";
import { projectOf, queueAggregate } from "../../core/ids.ts";
import { agentForIssue, waitText } from "../../core/project/accounts.ts";
import { readiness, type Readiness } from "../../core/project/backlog.ts";
import type { Project } from "../../core/project/project.ts";
import { asFailure, groundFailure, groundTitle } from "../../core/project/ground.ts";
import { placesTaken } from "../../core/project/places.ts";
import { provenBy } from "../../core/target-proof.ts";
import { closedBy, withWaits } from "../../core/project/standstill.ts";
import { isOverdue } from "../../core/run/message.ts";
import {
  isActive,
  isCrashLoop,
  issueOf,
  refOf,
  shownRef,
  type Run,
  type RunOutcome,
} from "../../core/run/run.ts";
import { fetchOf, type Escalation } from "../../core/run/stage.ts";
import { isLive } from "../../core/session/session.ts";
import { runDeadline } from "../../core/run/proceed.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitWork } from "../../ports/git.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { Paths } from "../host/paths.ts";
import { runNamed } from "./find-runs.ts";
import { agentLines, choiceLines } from "./chosen-agent.ts";
import type { Terminal } from "./crash-cause.ts";
import { groundHelp, groundLines } from "./ground.ts";
import { keptLines } from "./kept-settings.ts";
import { projectProgress, workspaceProgress } from "./progress.ts";
import { isSettledByRetry } from "./runs.ts";
import { agentStanding, lastReport, seenDoing, standing, toDo, wallLines } from "./why-words.ts";

type About = {
  project: Project;
  ref: string;
  now: number;
  /** A daemon runs. */
  isAtWork: boolean;
  /** What git is at in this project, where a daemon works. */
  git?: { paths: Paths; works: GitWork[] };
  /** What the terminal of a run showed, for why its agent crashed. */
  terminal?: Terminal;
};

export async function whyView(store: StoreReader, about: About): Promise<string[]> {
  const { name } = about.project;
  const wanted = about.ref.replace(/^#/, "");
  const named = await runNamed(store, name, wanted);
  const stored = (await store.load(queueAggregate(name)))?.state;
  const queue = stored?.kind === "queue" ? stored : undefined;
  const outbox = (await store.outbox()).filter(
    (row) => projectOf(row.aggregate) === about.project.name,
  );
  const isIssue = about.project.backlog.some((one) => String(one.number) === wanted);
  const entries = queue?.entries ?? [];
  // An entry of a person's branch has no run: what became of it is all there is to say.
  const entry =
    named !== undefined || isIssue
      ? entries.find(({ branch }) => branch === named?.branch)
      : entryNamed([...(queue?.past ?? []), ...entries], about.ref);
  if (named === undefined && entry === undefined && !isIssue) throw unknown(about);

  const meant =
    named ?? (entry?.run === undefined ? undefined : await runNamed(store, name, entry.run));
  // An earlier run was named: how it ended is said, and then where its issue stands.
  const run = await newestOf(store, meant);
  const cause = run === undefined ? undefined : await causeOf(run, about.terminal);
  const lines = [
    ...prLines(run, wanted),
    ...earlierLines(meant, run, about.now),
    ...workLines(about, run, { isIssue, cause }),
  ];
  if (queue !== undefined && entry !== undefined) {
    const { now, isAtWork } = about;
    for (const { kind, text } of plainLines(explain(queue, entry.id, now) ?? [], { isAtWork })) {
      lines.push(kind === "output" ? `  ${text}` : `merge queue: ${text}`);
    }
  }
  for (const row of outbox.filter(
    (one) => run !== undefined && one.aggregate.endsWith(`/${run.id}`),
  )) {
    const tries =
      row.attempts === 0
        ? about.isAtWork
          ? "in progress, or next"
          : "when a daemon runs"
        : `failed ${row.attempts} times; Pawl tries again`;
    lines.push(`to do: ${toDo(row.effect.kind)} (${tries})`);
  }
  return [...lines, ...progressLines(about, run)];
}

async function causeOf(run: Run, terminal: Terminal | undefined): Promise<string | undefined> {
  if (!isCrashLoop(run)) return undefined;
  const { crashCause } = await import("./crash-cause.ts");
  return crashCause(run, terminal);
}

function progressLines({ project, git }: About, run: Run | undefined): string[] {
  if (git === undefined) return [];
  const { paths, works } = git;
  const workspace = run === undefined ? "" : paths.workspace(run.project, run.identity);
  const own = run === undefined ? undefined : workspaceProgress(works, workspace);
  const all = projectProgress(works, project.name, paths);
  return [...(own === undefined ? [] : [`workspace: ${own}`]), ...all];
}

async function newestOf(store: StoreReader, run: Run | undefined): Promise<Run | undefined> {
  const issue = run === undefined ? undefined : issueOf(run);
  if (run === undefined || issue === undefined || isActive(run)) return run;
  return (await runNamed(store, run.project, String(issue))) ?? run;
}

function earlierLines(meant: Run | undefined, run: Run | undefined, now: number): string[] {
  if (meant?.outcome === undefined || meant.id === run?.id) return [];
  return [`run ${meant.id} ${endText(meant, meant.outcome, now)}`];
}

/** A PR's number leads to its run, whose other numbers follow: say which is which. */
function prLines(run: Run | undefined, wanted: string): string[] {
  if (run === undefined || String(run.pr) !== wanted || refOf(run) === wanted) return [];
  return [`#${wanted} is the PR of ${shownRef(run)}; this is about ${shownRef(run)}`];
}

/** Of a run, or of an issue without one; a branch that a person added has only its entry. */
function workLines(
  about: About,
  run: Run | undefined,
  { isIssue, cause }: { isIssue: boolean; cause: string | undefined },
): string[] {
  if (run !== undefined && isActive(run)) {
    const { project, now, isAtWork } = about;
    return [
      ...(isAtWork ? [] : ["no daemon runs: Pawl continues with `pawl up` or `pawl run`"]),
      ...runLines(run, now, cause),
      ...keptLines(run, project.config),
      ...setUpLines(run, project),
    ];
  }
  if (run === undefined && !isIssue) return [];
  const number = run === undefined ? Number(about.ref.replace(/^#/, "")) : issueOf(run);
  return issueLines(about, number, run);
}

const unknown = ({ ref, project }: About): OperationError =>
  new OperationError(
    `there is no run for "${ref}" in project ${project.name}, and neither an open issue nor an entry of the merge queue`,
    {
      code: "no-run",
      hint: "see `pawl status`, `pawl issue list` and `pawl merge-queue list --state all`",
    },
  );

function runLines(run: Run, now: number, cause: string | undefined): string[] {
  // Of a question, both deadlines are named with what happens then.
  const deadline = run.stage.kind === "escalated" ? undefined : runDeadline(run);
  return [
    standing(run),
    ...agentLines(run),
    agentStanding(run),
    ...wallLines(run),
    ...lastReport(run),
    ...(run.stage.kind === "escalated"
      ? [
          `a person must ${isSettledByRetry(run) ? "act" : "answer"}: ${plainSpans(run.stage.escalation.reason)}`,
          ...(cause === undefined ? [] : [`its terminal said: ${cause}`]),
          `see what its agent did: pawl logs ${refOf(run)}`,
          ...(isSettledByRetry(run)
            ? ["see whether it is installed and signed in: pawl doctor"]
            : []),
          isSettledByRetry(run)
            ? `start it again when the cause is fixed: pawl retry ${refOf(run)}`
            : `answer it: pawl escalation answer ${refOf(run)} "…"`,
          ...waitForAnswer(run.stage.escalation, now),
        ]
      : []),
    ...(fetchOf(run.stage) === undefined
      ? []
      : ["the agent says that it is ready: Pawl fetches and inspects its branch"]),
    ...(run.stage.kind === "reviewing" && run.config.review.role !== undefined
      ? [`the review role was asked: see \`pawl why review-${run.pr ?? ""}\``]
      : []),
    ...(run.stopped === undefined
      ? []
      : [`stopped by ${run.stopped.by}: \`pawl retry ${refOf(run)}\` resumes it`]),
    ...(run.held === undefined
      ? []
      : [`held by ${run.held.by}: \`pawl release ${refOf(run)}\` resumes it`]),
    ...(run.closed === undefined
      ? []
      : [
          `a budget is spent: ${run.closed.reason}; it waits for ${spanText(Math.max(0, run.closed.until - now))} more`,
        ]),
    ...sessionLines(run, now),
    ...hostLines(run),
    ...(deadline === undefined
      ? []
      : [`Pawl looks at this run again in ${spanText(Math.max(0, deadline - now))} at the latest`]),
    ...run.warnings.map((warning) => `warning: ${plainSpans(warning.text)}`),
  ];
}

/** The deadline that `pawl escalation list` shows, and the reminder before it. */
function waitForAnswer({ remindAt, deadline }: Escalation, now: number): string[] {
  const left = (at: number): string => spanText(Math.max(0, at - now));
  return [
    ...(remindAt === undefined || remindAt >= deadline
      ? []
      : [`Pawl reminds you in ${left(remindAt)}`]),
    `without an answer, Pawl gives up this run in ${left(deadline)}`,
  ];
}

const HOST_STATUS = {
  open: "you will be asked about it",
  asked: "refused; you have not answered yet",
  allowed: "allowed for this run",
  denied: "refused, as you answered",
  never: "refused, and no answer can allow it",
} as const;

const hostLines = ({ hosts = [] }: Run): string[] =>
  hosts.map(({ host, status, why }) => `host ${host}: ${HOST_STATUS[status]} (${why})`);

function setUpLines({ unready }: Run, { setUp }: Project): string[] {
  if (unready !== "waits" || setUp === undefined) return [];
  const failed = asFailure(setUp);
  return ["its workspace cannot be set up:", ...groundLines(failed), ...groundHelp(failed)];
}

function sessionLines(run: Run, now: number): string[] {
  const { session } = run;
  if (!isLive(session)) return [];
  const ago = (at: number): string => `${spanText(Math.max(0, now - at))} ago`;
  const relative = (at: number): string => relativeText(Math.min(at, now), now);
  const { question, limit, waiting, requests } = session.evidence;
  const late = run.messages.filter((one) => isOverdue(one, now, run.config.limits.unreadMs));
  return [
    `last seen ${relative(session.lastSeen)}, last progress ${relative(session.lastProgress)}${seenDoing(run)}`,
    ...(question === undefined ? [] : [`the agent asks: ${question.text}`]),
    ...(requests === undefined
      ? []
      : [
          `${requests.total - requests.before} requests to the model in this turn, ${requests.total} in this session`,
        ]),
    ...(limit === undefined ? [] : [`the agent waits for its account: ${limit.reason}`]),
    ...(waiting === undefined
      ? []
      : [`it has been waiting for the model for ${spanText(Math.max(0, now - waiting.since))}`]),
    ...(session.handOff === undefined ? [] : ["the session is being handed over to a successor"]),
    ...(session.attached ? ["a person is attached: Pawl does nothing to the session"] : []),
    ...run.messages.flatMap(({ id, kind, status, held }) =>
      held === undefined || status !== "queued"
        ? []
        : [`message ${id} (${kind}) has not reached the agent: ${held.reason}`],
    ),
    ...late.map(
      (one) =>
        `message ${one.id} (${one.kind}) was ${one.status} ${ago(one.at)} and has not been acknowledged`,
    ),
  ];
}

/** Why an issue is not among the open ones. */
function whereClosed({ project }: About, number: number, past: Run | undefined): string[] {
  // The issue of a run that landed is closed, as it should be.
  if (past?.outcome?.kind === "landed") return [];
  if (past?.outcome?.kind === "refused" && past.outcome.why.startsWith("already done"))
    return [`so Pawl closed #${number}; if it is not done, \`pawl issue reopen ${number}\``];
  return [
    `#${number} is not among the open issues of ${project.name}: it is closed, does not exist, or is so new that Pawl has not read it yet`,
  ];
}

function issueLines(about: About, number: number | undefined, past: Run | undefined): string[] {
  const { project } = about;
  const ended =
    past?.outcome === undefined
      ? []
      : [`the last run (${past.id}) ${endText(past, past.outcome, about.now)}`];
  if (number === undefined) return ended;
  const issue = project.backlog.find((one) => one.number === number);
  if (issue === undefined) return [...ended, ...whereClosed(about, number, past)];
  const ready = readiness(withWaits(project, issue));
  const lines = [...ended, `#${number} ${readinessText(ready)}`];
  if (ready.kind === "blocked") {
    lines.push(...causeLines(number, past));
    lines.push(`\`pawl retry ${number}\` removes the label and tries it again`);
  }
  if (ready.kind !== "ready") return lines;
  const failed = groundFailure(project);
  if (failed !== undefined && project.paused === undefined) {
    return [
      ...lines,
      `no agent starts: ${groundTitle(project, failed.failure)}, even without any agent's changes:`,
      ...groundLines(failed),
      ...groundHelp(failed),
    ];
  }
  if (project.proof?.kind === "asked") {
    const { target, ci } = project.config ?? {};
    const isByServer = ci !== undefined && provenBy(ci) === "server";
    const checked = isByServer ? "Pawl asks the CI server" : "being checked";
    return [...lines, `it waits for the CI gate to pass on ${target} (${checked})`];
  }
  const still = closedBy(project);
  if (still !== undefined) return [...lines, pausedLine(project, still, about.now)];
  lines.push(...choiceLines(project, issue));
  const given = project.config && agentForIssue(project, project.config, issue);
  if (given?.kind === "wait") return [...lines, `it waits: ${waitText(project, given)}`];
  const parallel = project.config?.parallel ?? 0;
  if (placesTaken(project) >= parallel) {
    const active = project.active.map(({ issue, run }) =>
      issue === undefined ? run : `#${issue}`,
    );
    return [
      ...lines,
      `all ${parallel} places are taken by ${active.join(", ")} (parallel = ${parallel})`,
    ];
  }
  return [...lines, "it is next as soon as a daemon runs (`pawl up` or `pawl run`)"];
}

/** What a person wrote stays as it is. */
const pausedLine = ({ paused }: Project, why: string, now: number): string =>
  `the project is paused: ${paused === undefined ? withRelativeTimes(why, now) : why}`;

/** Where the cause is seen, or what must change first: the same text would fail again. */
function causeLines(number: number, past: Run | undefined): string[] {
  if (past?.outcome?.kind !== "blocked") return [];
  if (past.check?.outcome.kind === "failed")
    return [`\`pawl ci failures ${number}\` shows what failed`];
  return past.outcome.reason.includes("has no fenced block")
    ? [`first add one: \`pawl issue edit ${number} --body-file FILE\``]
    : [`\`pawl logs ${number}\` shows what its agent did`];
}

function endText(run: Run, outcome: RunOutcome, now: number): string {
  if (outcome.kind !== "landed") return `ended: ${outcomeText(outcome)}`;
  const { stages = [], endedAt = run.requestedAt } = run;
  const at = stages.find(({ kind }) => kind === "landed")?.at ?? endedAt;
  return `landed as ${outcome.commit.slice(0, 10)}, ${relativeText(Math.min(at, now), now)}`;
}

function outcomeText(outcome: RunOutcome): string {
  if (outcome.kind === "blocked") return `blocked, ${outcome.reason}`;
  if (outcome.kind === "refused") return `its agent changed nothing: ${outcome.why}`;
  return "why" in outcome ? `${outcome.kind}, ${outcome.why}` : outcome.kind;
}

export function readinessText(ready: Readiness): string {
  switch (ready.kind) {
    case "ready":
      return "is ready";
    case "not-backlog":
      return "has no label `backlog`, so Pawl does not work on it";
    case "blocked":
      return "has the label `blocked`";
    case "in-progress":
      return "has the label `in-progress`, but no run of Pawl: a person or another factory works on it";
    case "other-role":
      return `has the label \`${ready.label}\`: it is not for the dev role`;
    case "waits":
      return `waits for ${ready.unmet.map((n) => `#${n}`).join(", ")}`;
  }
}
