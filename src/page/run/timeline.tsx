// The course of a run, drawn to scale.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { SpanView, TimelineView } from "../../api/timeline.ts";
import { get, inProject, part } from "../api.ts";
import { versionOf } from "../facts.ts";
import { createReader } from "../reader.ts";
import { span } from "../time.ts";

const PAUSE_MS = 1000;
const ROWS: [SpanView["row"], string][] = [
  ["life", "Sessions"],
  ["turn", "Turns"],
  ["work", "Work"],
  ["check", "Checks"],
  ["review", "Review"],
  ["queue", "Queue"],
  ["you", "Needs you"],
  ["event", "Events"],
];
const ROW_HEIGHT = 22;
const WIDTH = 1000;
const TICKS = 4;

/** Rows that most runs have, for which room is kept while they are read. */
const ROWS_AT_WORK = 3;
const ROWS_OVER = 5;

type TimelineProps = { project: string; id: string; isOver: boolean };

export function Timeline({ project, id, isOver }: TimelineProps) {
  const view = useSignal<TimelineView | undefined>(undefined);
  const read = useMemo(
    () =>
      createReader(async () => {
        const path = inProject(`/v1/runs/${part(id)}/timeline`, project);
        view.value = await get<TimelineView>(path).catch(() => view.value);
      }, PAUSE_MS),
    [],
  );
  useEffect(read, [versionOf(project, id)]);
  if (view.value === undefined) return <Room rows={isOver ? ROWS_OVER : ROWS_AT_WORK} />;
  if (view.value.spans.length === 0) return null;
  return <Drawing view={view.value} />;
}

const Room = ({ rows }: { rows: number }) => (
  <div class="timeline">
    <h2>Timeline</h2>
    <div class="chart">
      <div style={{ height: rows * ROW_HEIGHT }} />
      <p class="ticks">
        <span>&nbsp;</span>
      </p>
    </div>
    <div class="more">&nbsp;</div>
  </div>
);

function Drawing({ view }: { view: TimelineView }) {
  const rows = ROWS.filter(([row]) => view.spans.some((one) => one.row === row));
  const begin = Date.parse(view.from);
  const end = Math.max(view.to === null ? Date.now() : Date.parse(view.to), begin + 1000);
  const x = (at: number): number => ((at - begin) / (end - begin)) * WIDTH;
  const height = rows.length * ROW_HEIGHT;
  return (
    <section aria-label="Timeline" class="timeline">
      <h2>
        Timeline <span class="count">{span(end - begin)}</span>
      </h2>
      <div class="chart">
        <ul class="names" aria-hidden="true">
          {rows.map(([row, name]) => (
            <li key={row}>{name}</li>
          ))}
        </ul>
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          style={{ height }}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${view.spans.length} spans in ${span(end - begin)}; the list below has them`}
        >
          {rows.map(([row], at) => (
            <line
              key={row}
              x1={0}
              x2={WIDTH}
              y1={(at + 1) * ROW_HEIGHT}
              y2={(at + 1) * ROW_HEIGHT}
            />
          ))}
          {view.spans.map((one, at) => (
            <Bar
              key={at}
              one={one}
              row={rows.findIndex(([row]) => row === one.row)}
              x={x}
              end={end}
            />
          ))}
        </svg>
        <p class="ticks" aria-hidden="true">
          {Array.from({ length: TICKS + 1 }, (_, at) => (
            <span key={at}>{clock(begin + ((end - begin) * at) / TICKS, end - begin)}</span>
          ))}
        </p>
      </div>
      {view.is_cut && <p class="quiet">The journal no longer has its beginning.</p>}
      <List spans={view.spans} end={end} />
    </section>
  );
}

const List = ({ spans, end }: { spans: SpanView[]; end: number }) => (
  <details>
    <summary>As a list</summary>
    <ol>
      {spans.map((one, at) => (
        <li key={at}>
          {clock(Date.parse(one.from), 0)} {one.text}
          {one.to !== one.from && ` (${durationOf(one, end)})`}
        </li>
      ))}
    </ol>
  </details>
);

type BarProps = { one: SpanView; row: number; x: (at: number) => number; end: number };

/** A short bar is still seen: with its edges it has at least four of the pixels that the drawing has on this screen. */
const barMin = (): number => (4 * WIDTH) / Math.max(200, Math.min(WIDTH, window.innerWidth - 130));

function Bar({ one, row, x, end }: BarProps) {
  const from = x(Date.parse(one.from));
  const to = x(one.to === null ? end : Date.parse(one.to));
  const least = barMin();
  return (
    <rect
      class={`bar-${one.row} ${one.tone}`}
      x={Math.min(from, WIDTH - least)}
      y={row * ROW_HEIGHT + 4}
      width={Math.max(least, to - from)}
      height={ROW_HEIGHT - 8}
    >
      <title>{`${one.text}${one.to === one.from ? "" : `, ${durationOf(one, end)}`}`}</title>
    </rect>
  );
}

const durationOf = (one: SpanView, end: number): string =>
  span((one.to === null ? end : Date.parse(one.to)) - Date.parse(one.from));

const DAY_MS = 86_400_000;

/** As this browser's user writes it; with the day where the whole takes longer than one. */
const clock = (at: number, wholeMs: number): string =>
  new Date(at).toLocaleString(undefined, {
    ...(wholeMs > DAY_MS && { month: "short", day: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    ...(wholeMs < DAY_MS / 24 && { second: "2-digit" }),
  });
