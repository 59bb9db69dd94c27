// What remains of an aggregate once it is over: one row of the history. The journal then keeps the
// state itself compressed, away from what is alive, so that no question about today reads it.
import { KEPT_WORKSPACE, NUMBERED_GATES, requestName } from "./history-names.ts";
import type { AggregateKind, ProjectName } from "./ids.ts";
import { isOver, refOf, titleOf, type Run, type RunOutcome } from "./run/run.ts";
import type { RunStat } from "./stats.ts";
import { deadlineOf, type AggregateState } from "./step.ts";

export type HistoryEntry = {
  project: ProjectName;
  kind: AggregateKind;
  /** What a person calls it: the issue's number, a task's identity, or an id. */
  reference: string;
  title: string;
  /** How it ended, in one word. */
  outcome: string;
  startedAt: number;
  endedAt: number;
  tokens: number;
  usd: number;
  /** Why it ended so, or what was last said of it; cut to a line or two. */
  lastWords: string;
  /** Everything it may be found by, besides its own id. */
  names: string[];
  /** Of a run, what statistics need; not of those that an older version ended. */
  facts?: RunFacts;
};

export type RunFacts = Pick<RunStat, "role" | "askedAt" | "stages" | "lives" | "crashes">;

const WORDS_MAX = 300;

/** Undefined while anything is left to do, or may still come due. */
export function historyOf(state: AggregateState): HistoryEntry | undefined {
  const entry = entryOf(state);
  if (entry === undefined || deadlineOf(state) !== undefined) return undefined;
  return { ...entry, lastWords: entry.lastWords.slice(0, WORDS_MAX) };
}

function entryOf(state: AggregateState): HistoryEntry | undefined {
  switch (state.kind) {
    case "run":
      return runEntry(state);
    case "formula": {
      const { project, kind, id, key, formula, requestedAt: startedAt, outcome } = state;
      if (outcome === undefined) return undefined;
      const about = { project, kind, reference: id, title: formula.name, startedAt };
      const names = [formula.name, requestName(key)];
      const ended = { outcome: outcome.kind, endedAt: outcome.at, lastWords: outcome.reason ?? "" };
      return { ...about, ...ended, ...FREE, names };
    }
    case "gate": {
      const { project, kind, id, key, title, openedAt: startedAt, closed } = state;
      if (closed === undefined) return undefined;
      const about = { project, kind, reference: id, title, startedAt };
      const outcome = closed.met ? "met" : "not met";
      const ended = { outcome, endedAt: closed.at, lastWords: closed.reason };
      const numbered = /^g\d+$/.test(id) ? [NUMBERED_GATES] : [];
      return { ...about, ...ended, ...FREE, names: [requestName(key), ...numbered] };
    }
    case "vault": {
      const { project, kind, id, request, requestedAt: startedAt, stage } = state;
      if (stage.kind !== "ended") return undefined;
      const about = { project, kind, reference: id, title: request?.what ?? id, startedAt };
      const ended = { outcome: stage.end, endedAt: stage.at, lastWords: stage.text };
      return { ...about, ...ended, ...FREE, names: [] };
    }
    case "action": {
      const { project, kind, issue, title, stage } = state;
      if (stage.kind !== "ended") return undefined;
      const { outcome, at } = stage;
      const about = { project, kind, reference: String(issue), title, startedAt: at };
      const lastWords = outcome.kind === "done" ? outcome.report : outcome.reason;
      return { ...about, outcome: outcome.kind, endedAt: at, lastWords, ...FREE, names: [] };
    }
    default:
      // One of its kind per project, for as long as there is the project.
      return undefined;
  }
}

const FREE = { tokens: 0, usd: 0 };

function runEntry(run: Run): HistoryEntry | undefined {
  if (!isOver(run)) return undefined;
  const { project, kind, requestedAt, endedAt, spending, outcome, identity, branch, pr } = run;
  const reference = refOf(run);
  const asked = run.work.kind === "task" ? [requestName(run.work.task.key)] : [];
  const kept = run.kept === undefined ? [] : [KEPT_WORKSPACE];
  const names = [identity, branch, reference, ...asked, ...kept];
  if (pr !== undefined) names.push(String(pr));
  return {
    project,
    kind,
    reference,
    title: titleOf(run),
    outcome: outcome?.kind ?? "unknown",
    startedAt: requestedAt,
    endedAt: endedAt ?? requestedAt,
    tokens: spending?.total.tokens ?? 0,
    usd: spending?.total.usd ?? 0,
    lastWords: reasonOf(outcome) ?? run.hook.summary,
    names: [...new Set(names)],
    facts: runFacts(run),
  };
}

export function runFacts(run: Run): RunFacts {
  const lives = [...(run.lives ?? []), ...(run.session === undefined ? [] : [run.session])];
  return {
    role: run.role,
    askedAt: run.askedAt ?? run.requestedAt,
    stages: run.stages ?? [],
    lives: lives.map(({ startedAt, lastSeen }) => ({ from: startedAt, to: lastSeen })),
    // Not `run.crashes`: those of the last hour, since a person last answered.
    crashes: lives.filter(({ verdict }) => verdict === "crashed").length,
  };
}

function reasonOf(outcome: RunOutcome | undefined): string | undefined {
  if (outcome === undefined) return undefined;
  if (outcome.kind === "blocked") return outcome.reason;
  return "why" in outcome ? outcome.why : undefined;
}
