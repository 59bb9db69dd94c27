// What ended, the newest first: what is new since the last look is marked, and older ones are a click away.
import { useSignal } from "@preact/signals";
import type { HistoryRowView, HistoryView } from "../api/history.ts";
import { get, inProject, part } from "./api.ts";
import { DONE_SHOWN } from "./facts.ts";
import { first, Lane } from "./lane.tsx";
import { projectWords } from "./links.ts";
import { Ago } from "./now.tsx";
import { linkTo } from "./route.ts";
import { isNew } from "./seen.ts";
import { Trouble } from "./trouble.tsx";
import { useRead } from "./use-read.ts";

const PAUSE_MS = 1000;

type DoneProps = { done: HistoryView; project: string | undefined };

/** What the page knows is of all projects: the last ones of one project are read beside it. */
export const DoneLane = ({ done, project }: DoneProps) =>
  project === undefined ? (
    <Rows key="all" done={done} path={`/v1/history?all=true&limit=${DONE_SHOWN}`} />
  ) : (
    <OneProject key={project} project={project} />
  );

function OneProject({ project }: { project: string }) {
  const path = inProject(`/v1/history?limit=${DONE_SHOWN}`, project);
  const { value } = useRead<HistoryView>(path, PAUSE_MS);
  return <Rows done={value.value} path={path} />;
}

/** `path`: where the rows are from, and the older ones too. */
function Rows({ done, path }: { done: HistoryView | undefined; path: string }) {
  const older = useSignal<HistoryView | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const rows = merged(done?.rows ?? [], older.value?.rows ?? []);
  const next = older.value === undefined ? done?.next : older.value.next;
  const readOlder = (): void => {
    if (next === undefined || next === null) return;
    get<HistoryView>(`${path}&after=${part(next)}`).then(
      (page) => {
        older.value = { rows: [...rows, ...page.rows], next: page.next };
        trouble.value = undefined;
      },
      (error: unknown) => (trouble.value = String(error)),
    );
  };
  return (
    <Lane
      title="Done"
      count={rows.length}
      {...(next && { more: "and older" })}
      none={done === undefined ? "Reading…" : "Nothing is done yet."}
    >
      {first(rows).map((row) => (
        <Done key={`${row.project} ${row.id}`} row={row} />
      ))}
      {next && (
        <button type="button" onClick={readOlder}>
          Show older
        </button>
      )}
      <Trouble of={{ trouble }} />
    </Lane>
  );
}

/** Each once: a row of the first page moves to the next one when another run ends. */
function merged(rows: HistoryRowView[], older: HistoryRowView[]): HistoryRowView[] {
  if (older.length === 0) return rows;
  const all = new Map([...older, ...rows].map((row) => [`${row.project} ${row.id}`, row]));
  return [...all.values()].toSorted((a, b) => b.ended_at.localeCompare(a.ended_at));
}

const Done = ({ row }: { row: HistoryRowView }) => (
  <article class="card">
    <h3>
      <a href={linkTo({ view: "run", project: row.project, ref: row.id })}>
        {/^\d+$/.test(row.reference) ? `#${row.reference} ${row.title}` : row.title}
      </a>
    </h3>
    {row.outcome !== "landed" && !["", row.title].includes(row.last_words) && (
      <p class="words">{row.last_words}</p>
    )}
    <p class="meta">
      <span class={`outcome ${isGood(row) ? "good" : "bad"}`}>{row.outcome}</span>{" "}
      <Ago at={row.ended_at} />
      {[
        ...(row.cost_usd > 0 ? [`$${row.cost_usd.toFixed(2)}`] : []),
        ...projectWords(row.project),
      ].map((text) => ` · ${text}`)}
      {isNew(row.ended_at) && <span class="chip after">new</span>}
    </p>
  </article>
);

const GOOD = ["landed", "answered"];
export const isGood = ({ outcome }: HistoryRowView): boolean => GOOD.includes(outcome);
