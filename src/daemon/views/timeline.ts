// The course of a run, read off its events. The stages are found by taking the same steps again: the
// core is pure, so that the same events lead to the same stages.
import type { SpanView, TimelineView } from "../../api/timeline.ts";
import { emptyOutput } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import { stepRun } from "../../core/run/step-run.ts";
import type { Run } from "../../core/run/run.ts";
import type { Stage } from "../../core/run/stage.ts";
import { parseSpool } from "../../core/session/spool.ts";
import { iso } from "./agents.ts";

const SPANS_MAX = 2000;

type Row = SpanView["row"];
type Span = {
  row: Row;
  from: number;
  to: number | undefined;
  text: string;
  tone: SpanView["tone"];
};

const STAGES: Partial<Record<Stage["kind"], { row: Row; text: string; tone?: SpanView["tone"] }>> =
  {
    claiming: { row: "work", text: "claims the issue" },
    preparing: { row: "work", text: "makes its workspace" },
    working: { row: "work", text: "works" },
    fetching: { row: "check", text: "its branch is fetched" },
    publishing: { row: "check", text: "publishes the branch" },
    checking: { row: "check", text: "is checked" },
    reviewing: { row: "review", text: "waits for a review" },
    judging: { row: "review", text: "its answer is judged" },
    queued: { row: "queue", text: "is in the merge queue" },
    escalated: { row: "you", text: "waits for a person", tone: "needs" },
  };

export function timelineOf(run: Run, events: Event[]): TimelineView {
  const spans = [...stageSpans(events), ...sessionSpans(events), ...moments(events)];
  const shown = spans.toSorted((a, b) => a.from - b.from).slice(-SPANS_MAX);
  const [first] = events;
  return {
    from: iso(run.requestedAt),
    to: run.endedAt === undefined ? null : iso(run.endedAt),
    spans: shown.map(({ from, to, ...rest }) => ({
      ...rest,
      from: iso(from),
      to: to === undefined ? endOf(run) : iso(to),
    })),
    is_cut: shown.length < spans.length || !isBeginning(first),
  };
}

/** What never ended by itself ended with the run. */
const endOf = ({ endedAt }: Run): string | null => (endedAt === undefined ? null : iso(endedAt));

const isBeginning = (event: Event | undefined): boolean =>
  event?.kind === "run-requested" || event?.kind === "task-given";

function stageSpans(events: Event[]): Span[] {
  if (!isBeginning(events[0])) return [];
  const spans: Span[] = [];
  let run: Run | undefined;
  for (const event of events) {
    const before = run?.stage.kind;
    run = stepRun(run, event, emptyOutput());
    if (run === undefined || run.stage.kind === before) continue;
    const last = spans.at(-1);
    if (last !== undefined) last.to ??= event.at;
    const stage = STAGES[run.stage.kind];
    if (stage !== undefined) spans.push({ tone: "plain", ...stage, from: event.at, to: undefined });
  }
  return spans;
}

/** Lives, and the turns that agents' hooks tell of. */
function sessionSpans(events: Event[]): Span[] {
  const lives = new Map<number, Span>();
  const turns: Span[] = [];
  const endTurn = (at: number): void => {
    const last = turns.at(-1);
    if (last !== undefined) last.to ??= at;
  };
  for (const event of events) {
    if (event.kind === "session-spawned") {
      const text = `session ${event.epoch}`;
      lives.set(event.epoch, { row: "life", from: event.at, to: undefined, text, tone: "plain" });
    } else if (event.kind === "session-exited" || event.kind === "session-ended") {
      endTurn(event.at);
      const life = lives.get(event.epoch);
      if (life === undefined) continue;
      life.to ??= event.at;
      if (event.kind === "session-exited" && event.exit?.code !== 0) life.tone = "bad";
    } else if (event.kind === "spool-received") {
      const parsed = parseSpool(event.text);
      const said = parsed.kind === "event" ? parsed.event.kind : undefined;
      if (said !== "prompt" && said !== "stop") continue;
      endTurn(event.at);
      const text = `turn ${turns.length + 1}`;
      if (said === "prompt") {
        turns.push({ row: "turn", from: event.at, to: undefined, text, tone: "plain" });
      }
    }
  }
  return [...lives.values(), ...turns];
}

/** What took no time. */
function moments(events: Event[]): Span[] {
  return events.flatMap((event) => {
    const told = momentOf(event);
    return told === undefined ? [] : [{ row: "event", ...told, from: event.at, to: event.at }];
  });
}

type Moment = Pick<Span, "text" | "tone">;

function momentOf(event: Event): Moment | undefined {
  const plain = (text: string): Moment => ({ text, tone: "plain" });
  switch (event.kind) {
    case "phase-observed":
      return plain(event.text.split("\n")[0]?.slice(0, 200) ?? "");
    case "check-finished":
      return event.outcome.kind === "passed"
        ? { text: "CI passed", tone: "good" }
        : { text: `CI ${event.outcome.kind}`, tone: "bad" };
    case "check-conflicted":
      return { text: `conflicts with the target in ${event.files.join(", ")}`, tone: "bad" };
    case "entry-landed":
      return { text: `landed as ${event.commit.slice(0, 10)}`, tone: "good" };
    case "entry-returned":
      return { text: "came back from the merge queue", tone: "bad" };
    case "run-held":
      return plain(`held by ${event.by}`);
    case "run-released":
      return plain(`released by ${event.by}`);
    case "run-stopped":
      return { text: `stopped by ${event.by}`, tone: "bad" };
    case "run-retried":
      return plain(`retried by ${event.by}`);
    case "escalation-answered":
      return plain(`answered by ${event.by}`);
    case "line-commented":
      return plain(`${event.comment.by} commented on ${event.comment.path}`);
    default:
      return undefined;
  }
}
