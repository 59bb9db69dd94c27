// Three lanes: what needs you, what is being worked on, what is done.
import type { ComponentChildren } from "preact";
import type { HistoryRowView } from "../api/history.ts";
import type { RunView, StatusView, WaitView } from "../api/runs.ts";
import type { Facts } from "./facts.ts";
import { nameOf } from "./name-of.ts";
import { Question } from "./question.tsx";
import { linkTo } from "./route.ts";
import { ago } from "./time.ts";

export function Home({ facts: { status, asked, done } }: { facts: Facts }) {
  const now = Date.now();
  // What an answer settles is a card with an answer box; the rest names its command.
  const others = status.waits.filter(({ needs_you, question }) => needs_you && !question);
  const working = status.runs.filter(({ outcome, needs_you }) => outcome === null && !needs_you);
  return (
    <>
      <Summary status={status} />
      <div class="lanes">
        <Lane title="Needs you" count={asked.length + others.length} none="Nothing needs you.">
          {asked.map((one) => (
            <Question key={`${one.project} ${one.identity} ${one.since}`} asked={one} now={now} />
          ))}
          {others.map((one) => (
            <Wait key={`${one.project} ${one.about} ${one.why}`} wait={one} />
          ))}
        </Lane>
        <Lane title="Working" count={working.length} none="No agent is at work.">
          {working.map((run) => (
            <Working key={`${run.project} ${run.run}`} run={run} now={now} />
          ))}
        </Lane>
        <Lane title="Done" count={done.rows.length} none="Nothing is done yet.">
          {done.rows.map((row) => (
            <Done key={`${row.project} ${row.id}`} row={row} now={now} />
          ))}
        </Lane>
      </div>
    </>
  );
}

function Summary({ status: { projects, queue, runs } }: { status: StatusView }) {
  const sum = (of: "ready" | "waiting" | "blocked"): number =>
    projects.reduce((total, { backlog }) => total + backlog[of], 0);
  const alive = runs.filter(({ alive: lives }) => lives).length;
  const parts = [
    `${projects.length} ${projects.length === 1 ? "project" : "projects"}`,
    `${alive} ${alive === 1 ? "agent" : "agents"} alive`,
    `${queue.length} in the merge queue`,
    `backlog: ${sum("ready")} ready, ${sum("waiting")} waiting, ${sum("blocked")} blocked`,
  ];
  return <p class="summary">{parts.join(" · ")}</p>;
}

type LaneProps = { title: string; count: number; none: string; children: ComponentChildren };

const Lane = ({ title, count, none, children }: LaneProps) => (
  <section class="lane" aria-label={title}>
    <h2>
      {title} <span class="count">{count}</span>
    </h2>
    {count === 0 ? <p class="quiet">{none}</p> : children}
  </section>
);

const Wait = ({ wait: { project, about, why, command } }: { wait: WaitView }) => (
  <article class="card needs">
    <h3>{about}</h3>
    <p>{why}</p>
    {command !== null && <code>{command}</code>}
    <p class="meta">{project}</p>
  </article>
);

const Working = ({ run, now }: { run: RunView; now: number }) => (
  <article class="card">
    <h3>
      <a href={linkTo({ view: "run", project: run.project, ref: run.run })}>{nameOf(run)}</a>
    </h3>
    <p>{run.doing}</p>
    {run.work_summary !== "" && <p class="words">{run.work_summary}</p>}
    {run.warnings.map((text) => (
      <p class="warning" key={text}>
        {text}
      </p>
    ))}
    <p class="meta">
      {[run.project, run.identity, run.agent, run.waiting && `waits for ${run.waiting}`]
        .filter(Boolean)
        .join(" · ")}
      {run.last_progress !== null && ` · active ${ago(run.last_progress, now)}`}
    </p>
  </article>
);

const Done = ({ row, now }: { row: HistoryRowView; now: number }) => (
  <article class="card">
    <h3>
      <a href={linkTo({ view: "run", project: row.project, ref: row.id })}>
        {/^\d+$/.test(row.reference) ? `#${row.reference} ${row.title}` : row.title}
      </a>
    </h3>
    <p>
      <span class={`outcome ${row.outcome === "landed" ? "good" : "bad"}`}>{row.outcome}</span>{" "}
      {ago(row.ended_at, now)}
      {row.cost_usd > 0 && ` · $${row.cost_usd.toFixed(2)}`}
    </p>
    <p class="meta">{row.project}</p>
  </article>
);
