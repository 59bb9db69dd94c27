// Gathers what the preflight of a standing role looks at. It decides nothing: core/roles does.
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import * as z from "zod";
import { firstFailure } from "../../core/check.ts";
import {
  commitId,
  mailAggregate,
  queueAggregate,
  runAggregate,
  runId,
  type Commit,
} from "../../core/ids.ts";
import type { Issue } from "../../core/issue.ts";
import { unreadFor } from "../../core/mail/mailbox.ts";
import { dependencies } from "../../lib/issue-dependencies.ts";
import type { AgentsFile, RoleFacts, RoleIssue } from "../../core/roles/facts.ts";
import type { StandingRole } from "../../core/roles/result.ts";
import { reviewedAt } from "../../core/roles/upkeep.ts";
import { isActive, isOver, type Run } from "../../core/run/run.ts";
import { briefProject } from "../engine/brief-project.ts";
import { backlogFacts } from "../observing/backlog-facts.ts";
import type { BuiltinContext } from "../builtins/builtin.ts";
import type { ProjectPorts } from "../engine/ports.ts";
import { runsAtWork } from "../patrol/look-around.ts";
import { endedRuns, livingRuns } from "../views/find-runs.ts";

const DAY_MS = 86_400_000;
/** More than a busy day has, and than the checks that are looked at. */
const ENDED_MAX = 500;
const BOX = /^\s*[-*] \[[ x]\]/gim;
const CRITERIA =
  /^\s*(?:#{1,6}\s*|\*\*)?(?:acceptance criteria|acceptance|criteria|definition of done|done when)\b/im;

/** Only what this role looks at: the supervisor comes every twenty minutes. */
export async function collectFacts(
  context: BuiltinContext,
  role: StandingRole,
): Promise<{ facts: RoleFacts; open: Issue[] }> {
  const { own } = context;
  const at = context.now();
  const open = await own.forge.issues({ state: "open" });
  const prs = role === "supervisor" ? await own.forge.prs({ state: "open" }) : [];
  const runs = await runsFor(context, role);
  const readsFiles = role === "gardener" || role === "planner";
  const facts: RoleFacts = {
    at,
    issues: await issueFacts(context, open),
    prs: prs.map(({ number, title, updatedAt }) => ({ number, title, updatedAt })),
    runs: {
      active: runs.filter((run) => isActive(run) && run.stage.kind !== "escalated").length,
      landed: endedAs(runs, "landed", at).length,
      blocked: endedAs(runs, "blocked", at).length,
    },
    queue: await queueFacts(context),
    checks: checksOf(runs),
    machine: await machineFacts(context),
    leftovers: role === "supervisor" ? await leftoversOf(context) : [],
    staleWorkspaces: role === "supervisor" ? await staleWorkspaces(context, runs) : [],
    sessions: runs.map((run) => ({
      run: run.id,
      crashes: run.crashes.length,
      redFixed: run.counts.ciFixes > 0 && run.check?.outcome.kind === "passed",
    })),
    errors: role === "predictor" ? await loggedErrors(context) : [],
    letters: role === "supervisor" ? await lettersTo(context, role) : [],
    ...(readsFiles ? await fileFacts(context) : { vision: undefined, agents: undefined }),
  };
  return { facts, open };
}

/** Ended ones only for the predictor, which runs once a day and looks at the last checks. */
async function runsFor({ store, project }: BuiltinContext, role: StandingRole): Promise<Run[]> {
  if (role === "predictor") {
    const ended = await endedRuns(store, { project, limit: ENDED_MAX });
    return [...(await livingRuns(store, project)), ...ended];
  }
  const known = await briefProject(store, project);
  return role === "supervisor" && known !== undefined ? runsAtWork(store, known) : [];
}

async function machineFacts({ ports, paths }: BuiltinContext): Promise<RoleFacts["machine"]> {
  const { machine } = ports;
  const { freeMb, swapUsedMb } = await machine.memory();
  return {
    freeMb,
    swapUsedMb,
    diskUsedPercent: await machine.diskUsedPercent(paths.home),
    loadPerCore: machine.loadPerCore(),
    journalMb: await machine.fileMb(paths.journal),
  };
}

/** A failure of the CI infrastructure says nothing about the code. */
const checksOf = (runs: Run[]): RoleFacts["checks"] =>
  runs
    .flatMap(({ check }) => {
      if (check === undefined || check.outcome.kind === "infra") return [];
      const { outcome, at } = check;
      const gate = firstFailure(outcome.results)?.gate;
      return [{ passed: outcome.kind === "passed", gate, at }];
    })
    .toSorted((a, b) => b.at - a.at);

/** Sessions of this project whose run is over; one that a person sits at is no leftover. */
async function leftoversOf({ ports, store, project }: BuiltinContext): Promise<string[]> {
  const panes = await ports.terminal.panes();
  const left: string[] = [];
  for (const { marks, attached, tmuxSession } of panes === "unknown" ? [] : panes) {
    if (marks?.project !== project || attached) continue;
    const run = (await store.load(runAggregate(project, runId(marks.run))))?.state;
    if (run?.kind === "run" && isOver(run)) left.push(tmuxSession);
  }
  return left;
}

const STALE_MS = 7 * DAY_MS;

async function staleWorkspaces(
  { ports, paths, project, now }: BuiltinContext,
  runs: Run[],
): Promise<string[]> {
  const folders = await ports.machine.folders(dirname(paths.workspace(project, "x")));
  const living = new Set(runs.map(({ identity }) => identity));
  return folders
    .filter(({ name, changedAt }) => !living.has(name) && now() - changedAt > STALE_MS)
    .map(({ name }) => name);
}

const LOG_LINES = 200;
const ERROR_LEVEL = 50;

/** Lines of the log are JSON with a level; what is none is no error of ours. */
async function loggedErrors({ ports, paths }: BuiltinContext): Promise<string[]> {
  const lines = await ports.machine.tail(paths.log, LOG_LINES);
  return lines.flatMap((line) => {
    const read = logLine.safeParse(line);
    if (!read.success || read.data.level < ERROR_LEVEL) return [];
    return [ports.redact(read.data.msg).slice(0, 200)];
  });
}

const logLine = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      context.addIssue({ code: "custom", message: String(error) });
      return z.NEVER;
    }
  })
  .pipe(z.object({ level: z.number(), msg: z.string().default("") }));

async function lettersTo(
  { store, project }: BuiltinContext,
  role: StandingRole,
): Promise<RoleFacts["letters"]> {
  const stored = (await store.load(mailAggregate(project)))?.state;
  if (stored?.kind !== "mail") return [];
  return unreadFor(stored, role).map(({ id, from, subject, body }) => ({
    id,
    from,
    subject,
    body,
  }));
}

async function issueFacts({ own }: BuiltinContext, open: Issue[]): Promise<RoleIssue[]> {
  const known = new Map(open.map((issue) => [issue.number, issue]));
  return (await backlogFacts(own.forge, open)).map((facts) => {
    const body = known.get(facts.number)?.body ?? "";
    return {
      ...facts,
      bodyLength: body.length,
      boxes: body.match(BOX)?.length ?? 0,
      hasCriteria: new RegExp(BOX.source, "im").test(body) || CRITERIA.test(body),
      dependsOn: dependencies(body, facts.number),
      updatedAt: known.get(facts.number)?.updatedAt ?? facts.createdAt,
    };
  });
}

const endedAs = (runs: Run[], kind: "landed" | "blocked", at: number): Run[] =>
  runs.filter(({ outcome, endedAt }) => outcome?.kind === kind && at - (endedAt ?? at) < DAY_MS);

async function queueFacts({ store, project }: BuiltinContext): Promise<RoleFacts["queue"]> {
  const stored = (await store.load(queueAggregate(project)))?.state;
  if (stored?.kind !== "queue") return { waiting: 0, stopped: undefined };
  return { waiting: stored.entries.length, stopped: stored.stop?.why };
}

/** What files of the target say; each by a short name, so that a change of it is seen. */
async function fileFacts({ own }: BuiltinContext): Promise<Pick<RoleFacts, "vision" | "agents">> {
  const target = await own.git.fetchTarget();
  const vision = await own.git.readFile(target, "VISION.md");
  return {
    vision: vision === undefined ? undefined : shortName(vision),
    agents: await agentsFile(own, target),
  };
}

const COMMITS_MAX = 50;

async function agentsFile(own: ProjectPorts, target: Commit): Promise<AgentsFile | undefined> {
  const text = await own.git.readFile(target, "AGENTS.md");
  if (text === undefined) return undefined;
  const reviewed = reviewedAt(text);
  if (reviewed === undefined) return { hash: shortName(text), reviewed, commits: 0 };
  const log = await own.git.targetLog({ since: commitId(reviewed), limit: COMMITS_MAX });
  return { hash: shortName(text), reviewed, commits: log.length };
}

const shortName = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 12);
