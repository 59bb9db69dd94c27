// A run as people see it: where it stands, what it waits for, and whether it needs a person.
import type { RunView, WaitView } from "../../api/runs.ts";
import { firstFailure } from "../../core/check.ts";
import { isOverdue, type Message } from "../../core/run/message.ts";
import {
  isActive,
  isCrashLoop,
  isUnendable,
  waitsForBudget,
  issueOf,
  refOf,
  shownRef,
  titleOf,
  type Run,
} from "../../core/run/run.ts";
import { isLive, isStarted, isStarting } from "../../core/session/session.ts";
import { spanText } from "../../api/spans.ts";
import type { GitWork } from "../../ports/git.ts";
import type { Paths } from "../host/paths.ts";
import { iso, waitingFor } from "./agents.ts";
import { agentName } from "./chosen-agent.ts";
import type { Terminal } from "./crash-cause.ts";
import { workspaceProgress } from "./progress.ts";

/** `works`: what git is at in the run's project. */
type Context = { paths: Paths; now: number; works?: GitWork[] | undefined };

export function runView(run: Run, context: Context): RunView {
  const { paths, now } = context;
  const { session } = run;
  const progress = workspaceProgress(context.works, paths.workspace(run.project, run.identity));
  return {
    run: run.id,
    project: run.project,
    issue: issueOf(run) ?? null,
    title: titleOf(run),
    identity: run.identity,
    role: run.role,
    agent: agentName(run.config.agent),
    model: run.config.agent.model ?? null,
    stage: run.stage.kind,
    doing: `${doing(run, now)}${progress === undefined ? "" : ` (${progress})`}`,
    doing_since: iso(doingSince(run)),
    progress: progress ?? null,
    needs_you: needsPerson(run),
    phase: run.phase?.phase ?? null,
    epoch: run.epoch,
    has_predecessor: session?.predecessor !== undefined,
    crashes: run.crashes.length,
    alive: isStarted(session),
    ...(isStarting(session) && { starting: true }),
    pid: session?.process?.pid ?? null,
    tmux_session: session?.pane?.tmuxSession ?? null,
    branch: run.branch,
    head: run.head ?? null,
    base: run.base ?? null,
    pr: run.pr ?? null,
    worktree_path: paths.workspace(run.project, run.identity),
    log_path: paths.paneLog(run.project, run.id),
    requested_at: iso(run.requestedAt),
    ended_at: run.endedAt === undefined ? null : iso(run.endedAt),
    outcome: run.outcome?.kind ?? null,
    landed_as: run.outcome?.kind === "landed" ? run.outcome.commit : null,
    messages: run.messages.map((message) => messageView(run, message, now)),
    waiting: waitingFor(run, now),
    last_seen: session === undefined ? null : iso(session.lastSeen),
    last_progress: session === undefined ? null : iso(session.lastProgress),
    work_phase: run.hook.workPhase,
    work_summary: run.hook.summary,
    warnings: run.warnings.map((warning) => warning.text),
    held_by: run.held?.by ?? null,
    stopped_by: run.stopped?.by ?? null,
    issue_url: run.work.kind === "issue" ? (run.work.url ?? null) : null,
    context_percent: session?.evidence.context.percent ?? null,
    tokens: run.spending?.total.tokens ?? 0,
    cost_usd: Math.round((run.spending?.total.usd ?? 0) * 1e6) / 1e6,
    ci: ciOf(run),
  };
}

function ciOf({ stage, check }: Run): RunView["ci"] {
  if (stage.kind === "checking") return { state: "running", detail: null };
  if (check === undefined) return null;
  const { outcome } = check;
  const detail = outcome.kind === "infra" ? outcome.message : firstFailure(outcome.results)?.gate;
  return { state: outcome.kind, detail: detail ?? null };
}

const messageView = (run: Run, message: Message, now: number): RunView["messages"][number] => ({
  id: message.id,
  kind: message.kind,
  status: message.status,
  epoch: message.epoch ?? null,
  at: iso(message.at),
  urgent: message.urgent,
  overdue: isActive(run) && isOverdue(message, now, run.config.limits.unreadMs),
  ...(message.resumes === true ? { resumes: true } : {}),
});

/** The question that only a person can answer, if there is one. */
export function needsPerson(run: Run): string | null {
  if (run.stage.kind === "escalated") return run.stage.escalation.reason;
  const isAsked = run.config.review.role !== undefined;
  if (run.stage.kind === "reviewing" && !isAsked) return "waiting for a review";
  if (run.outcome === undefined && run.stopped !== undefined) return `stopped by ${run.stopped.by}`;
  if (isUnendable(run)) {
    const pid = run.session?.process?.pid;
    return `its agent cannot be ended${pid === undefined ? "" : ` (process ${pid})`}: ${run.warnings.at(-1)?.text ?? "unknown"}`;
  }
  return null;
}

function doing(run: Run, now: number): string {
  const held = run.held === undefined ? "" : ` (held by ${run.held.by})`;
  return `${stageText(run, now)}${held}`;
}

/** Of a run that was stopped and resumed, its stage is older than what it does. */
function doingSince(run: Run): number {
  const { stage, stages, stopped, session, crashes, requestedAt } = run;
  if (stage.kind === "escalated") return stage.escalation.since;
  if (stopped !== undefined && run.outcome === undefined) return stopped.at;
  const mark = stages?.at(-1);
  const entered = mark?.kind === stage.kind ? mark.at : requestedAt;
  if (stage.kind !== "working") return entered;
  return Math.max(entered, session?.startedAt ?? 0, crashes.at(-1)?.at ?? 0);
}

function stageText(run: Run, now: number): string {
  const { stage } = run;
  switch (stage.kind) {
    case "claiming":
      return "claiming the issue";
    case "preparing":
      return run.unready === "waits"
        ? "waiting until its workspace can be set up"
        : "making the workspace";
    case "working":
      return workingText(run, now);
    case "fetching":
      return "fetching the branch";
    case "publishing":
      return "publishing the branch";
    case "checking":
      return "CI is running";
    case "reviewing":
      return "waiting for a review";
    case "queued":
      return queuedText(run);
    case "judging":
      return "its answer is being judged";
    case "escalated":
      return `waiting for a person: ${stage.escalation.reason}`;
    case "landed":
      return "landed, cleaning up";
    case "blocking":
      return run.outcome?.kind === "answered"
        ? "answered, cleaning up"
        : `given up: ${stage.reason}`;
    case "ended":
      return endText(run);
  }
}

function workingText(run: Run, now: number): string {
  if (run.stopped !== undefined) return `stopped by ${run.stopped.by}`;
  const { limit, waiting } = run.session?.evidence ?? {};
  const isLimited = limit !== undefined && limit.until > now;
  if (run.respawnAt !== undefined && !isLimited)
    return `crashed, starts again in ${spanText(Math.max(0, run.respawnAt - now))}`;
  if (run.session?.status === "spawning") return "starting the agent";
  if (run.next !== undefined) return `the agent ${run.next.account} takes over`;
  if (limit !== undefined && isLimited) {
    return `waiting for a usage limit, ${spanText(limit.until - now)} more`;
  }
  if (run.closed !== undefined && waitsForBudget(run)) {
    return `waiting for the budget (${run.closed.reason}), ${spanText(Math.max(0, run.closed.until - now))} more`;
  }
  if (run.session?.handOff !== undefined) return "handing over to a successor";
  if (isLive(run.session) && waiting !== undefined) {
    return `waiting for the model for ${spanText(Math.max(0, now - waiting.since))}`;
  }
  const failure =
    run.check?.outcome.kind === "failed" ? firstFailure(run.check.outcome.results) : undefined;
  return failure === undefined ? "working" : `fixing CI (${failure.gate} failed)`;
}

const queuedText = ({ stage, stopped }: Run): string => {
  if (stage.kind !== "queued" || stage.out !== true) return "in the merge queue";
  const ready = "ready to land, but out of the merge queue";
  return stopped === undefined ? ready : `${ready}: stopped by ${stopped.by}`;
};

function endText(run: Run): string {
  const { outcome } = run;
  if (outcome === undefined) return "over";
  if (outcome.kind === "answered") return "answered";
  if (outcome.kind === "landed") return `landed as ${outcome.commit.slice(0, 10)}`;
  return outcome.kind === "blocked" ? `blocked: ${outcome.reason}` : outcome.why;
}

/** Appended to what says that it crashed; empty where nothing is known. Loaded only for a crash. */
export async function causeClause(run: Run, terminal: Terminal | undefined): Promise<string> {
  if (terminal === undefined || !isCrashLoop(run)) return "";
  const { crashCause } = await import("./crash-cause.ts");
  const cause = await crashCause(run, terminal);
  return cause === undefined ? "" : `; its terminal said: ${cause}`;
}

/**
 * What runs ask of a person, with the command that settles it; of an agent that crashes at every
 * start, also what its terminal said.
 */
export async function waitsOfRuns(
  runs: readonly Run[],
  terminal: Terminal | undefined,
): Promise<WaitView[]> {
  const asking = runs.filter((run) => isActive(run) || isUnendable(run));
  const waits = asking.map(async (run) => {
    const clause = await causeClause(run, terminal);
    const asked = runWaits(run);
    return clause === "" ? asked : asked.map((wait) => ({ ...wait, why: `${wait.why}${clause}` }));
  });
  return (await Promise.all(waits)).flat();
}

function runWaits(run: Run): WaitView[] {
  const why = needsPerson(run);
  if (why === null) return [];
  const about = `${shownRef(run)} ${titleOf(run)}`;
  const isAsked = isActive(run) && run.stage.kind === "escalated";
  const command = answerTo(run);
  const wait: WaitView = { project: run.project, about, why, needs_you: true, command };
  if (isAsked) return [{ ...wait, why: `${why}${besides(run)}`, question: true }];
  const isRetried = command?.startsWith("pawl retry ") === true;
  return [isRetried ? { ...wait, act: { kind: "retry", ref: run.id } } : wait];
}

/** What else a person should know before answering; the question itself may be older, or the same again. */
function besides({ stopped, check, stage }: Run): string {
  const asked = stage.kind === "escalated" ? stage.escalation.reason : "";
  const failure =
    check?.outcome.kind === "failed" ? firstFailure(check.outcome.results)?.gate : undefined;
  const facts = [
    ...(stopped === undefined ? [] : [`stopped by ${stopped.by}; an answer resumes it`]),
    ...(failure === undefined || asked.includes("CI") ? [] : [`CI last failed at ${failure}`]),
  ];
  return facts.length === 0 ? "" : ` (${facts.join("; ")})`;
}

/** Its agent cannot be started, or crashes at every start: no words of a person change that. */
export const isSettledByRetry = (run: Run): boolean => isCrashLoop(run) || cannotStart(run);

/** Its program is not there, or cannot be executed. */
const cannotStart = ({ stage }: Run): boolean =>
  stage.kind === "escalated" && /^the .* \(exit code 12[67]\)/.test(stage.escalation.reason);

function answerTo(run: Run): string | null {
  const ref = refOf(run);
  if (!isActive(run)) return null;
  if (isSettledByRetry(run)) return `pawl retry ${ref}`;
  if (run.stage.kind === "escalated") return `pawl escalation answer ${ref} "…"`;
  if (run.stage.kind === "reviewing") return `pawl pr review ${run.pr ?? ref} --approve`;
  return `pawl retry ${ref}`;
}
