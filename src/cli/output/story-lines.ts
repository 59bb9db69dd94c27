// What a person wants to hear about a run, as lines: begun, CI red, sent back, asked, landed. Pure:
// compares two looks at the same run. Everything that merely passes by is left out.
import type { RunView } from "../../api/runs.ts";
import { plainSpans } from "../../api/spans.ts";

export type Tone = "plain" | "good" | "warning" | "bad" | "dim";
export type News = { mark: string; text: string; tone: Tone };

type Message = RunView["messages"][number];

const ANSWERED: News = { mark: "▶", text: "answered; the agent continues", tone: "plain" };
const RESUMED: News = { mark: "▶", text: "resumed; the agent continues", tone: "plain" };

/** Messages to an agent that say something about its work, and how a person would put them. */
const TOLD: Record<string, News> = {
  "ci-failed": { mark: "✗", text: "CI failed; back to the agent", tone: "warning" },
  conflict: { mark: "↩", text: "sent back: conflicts with what has landed", tone: "warning" },
  "tests-failed": { mark: "↩", text: "sent back: CI fails with what has landed", tone: "warning" },
  "review-changes": { mark: "↩", text: "changes requested; back to the agent", tone: "warning" },
  nudge: { mark: "…", text: "the agent exited without a phase; Pawl reminded it", tone: "warning" },
  answer: ANSWERED,
};

/**
 * `before`: the look before this one; undefined where the run was not known yet. `exit`: how its last
 * session ended, where that is known: "exit 2".
 */
export function newsOf(before: RunView | undefined, now: RunView, exit?: string): News[] {
  if (before === undefined) return firstSight(now);
  const known = new Set(before.messages.map((message) => message.id));
  const told = now.messages.filter((message: Message) => !known.has(message.id));
  return [
    ...begun(before, now),
    ...told.flatMap(toldNews),
    ...crashed(before, now, exit),
    ...stageNews(before, now),
  ];
}

const toldNews = ({ kind, resumes }: Message): News[] => {
  const news = resumes === true ? RESUMED : TOLD[kind];
  return news === undefined ? [] : [news];
};

/** A run that was there before us: where it stands, unless it is over or has not begun. */
function firstSight(run: RunView): News[] {
  if (run.outcome !== null || run.epoch === 0) return [];
  const stage = stageNews(undefined, run);
  if (!hasBegun(run)) return stage;
  if (run.alive && !hadSession(run) && run.stage === "working") return [started(run)];
  // An agent may be done with the answer before the first look.
  const last = run.messages.at(-1);
  if (last?.kind === "answer" && run.needs_you === null) return [...toldNews(last), ...stage];
  return stage.length > 0 ? stage : [{ mark: "▶", text: `continues: ${run.doing}`, tone: "plain" }];
}

/** Before its present session; the epoch alone also counts those of earlier runs of the issue. */
const hadSession = ({ has_predecessor: had, epoch }: RunView): boolean => had ?? epoch > 1;

/** An agent of this run was started, perhaps in a session that has ended. */
const hasBegun = (run: RunView): boolean => run.epoch > 0 && (run.pid !== null || hadSession(run));

const started = (run: RunView): News => ({
  mark: "▶",
  text: `agent at work (${run.agent})`,
  tone: "plain",
});

const begun = (before: RunView, now: RunView): News[] =>
  !hasBegun(before) && hasBegun(now) ? [started(now)] : [];

/** After so many without a new commit, the agent is not started again (docs/agents.md). */
const CRASHES_MAX = 3;

/** Shells use these for "cannot execute" and "not found": it is not started again. */
const CANNOT_START = new Set(["exit 126", "exit 127"]);

/** Short, so that it fits beside a title on a narrow terminal. */
function crashed(before: RunView, now: RunView, exit: string | undefined): News[] {
  if (now.crashes <= before.crashes || now.stage === "escalated") return [];
  const how = exit === undefined ? "crashed" : `crashed (${exit})`;
  // A person is asked about this one, in the next line.
  if (now.crashes >= CRASHES_MAX || CANNOT_START.has(exit ?? ""))
    return [{ mark: "↻", text: how, tone: "warning" }];
  const again = /^crashed, starts (?<again>again in .*)$/.exec(now.doing)?.groups?.["again"];
  return [{ mark: "↻", text: `${how}; ${again ?? "resumes"}`, tone: "warning" }];
}

function stageNews(before: RunView | undefined, now: RunView): News[] {
  if (now.outcome !== null) return before?.outcome === now.outcome ? [] : [ending(now)];
  if (now.needs_you !== null) return isSaid(before, now.needs_you) ? [] : [asking(now)];
  if (before?.stage === now.stage || now.stage !== "queued") return [];
  return [{ mark: "·", text: "green; in the merge queue", tone: "dim" }];
}

/** What its terminal said may be added to the same question a moment later. */
const isSaid = (before: RunView | undefined, asked: string): boolean =>
  typeof before?.needs_you === "string" && asked.startsWith(before.needs_you);

function asking(run: RunView): News {
  if (run.stage === "escalated") {
    return { mark: "?", text: `needs you: ${plainSpans(run.needs_you ?? "")}`, tone: "bad" };
  }
  if (run.stage !== "reviewing") return { mark: "?", text: `${run.needs_you}`, tone: "bad" };
  const command = run.pr === null ? "" : `: pawl pr review ${run.pr} --approve`;
  return { mark: "?", text: `green; waiting for a review${command}`, tone: "warning" };
}

function ending(run: RunView): News {
  if (run.outcome === "landed") {
    return { mark: "✓", text: `landed as ${run.landed_as?.slice(0, 10)}`, tone: "good" };
  }
  return { mark: "✗", text: run.doing, tone: run.outcome === "blocked" ? "bad" : "dim" };
}

/** Shown only for a check that takes a while; a quick one is shown by its result. */
export const CI_RUNS: News = { mark: "·", text: "CI is running", tone: "dim" };
