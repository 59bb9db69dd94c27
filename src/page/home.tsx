// Three lanes: what needs you, what is being worked on, what is done. What they show is read in facts.ts.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { HistoryRowView } from "../api/history.ts";
import type { StatusView } from "../api/runs.ts";
import type { Facts } from "./facts.ts";
import { Ago } from "./now.tsx";
import { Question } from "./question.tsx";
import { linkTo } from "./route.ts";
import { prepareTerminal } from "./run/terminal.tsx";
import { RunCard, type Place } from "./run-card.tsx";
import { WaitCard } from "./wait-card.tsx";
import { whenIdle } from "./when-idle.ts";

/** As low as a card may be, with the gap below it. */
const CARD_MIN_PX = 80;
/** Of hundreds of cards, those on the screen are drawn first, and the others right after them. */
const isWhole = signal(false);
const first = <T,>(all: readonly T[]): readonly T[] =>
  isWhole.value ? all : all.slice(0, Math.ceil(window.innerHeight / CARD_MIN_PX));

function drawRest(): void {
  const draw = (): void => {
    isWhole.value = true;
  };
  // A page that is not looked at has no frames.
  if (document.hidden) draw();
  else {
    requestAnimationFrame(() => setTimeout(draw));
    // Cards lead to terminals.
    whenIdle(prepareTerminal);
  }
}

export function Home({ facts: { status, asked, done, vault } }: { facts: Facts }) {
  // What an answer settles is a card with an answer box.
  const others = status.waits.filter(({ needs_you, question }) => needs_you && !question);
  const working = status.runs.filter(({ outcome, needs_you }) => outcome === null && !needs_you);
  const places = placesIn(status);
  useEffect(drawRest, []);
  return (
    <>
      <h1 class="unseen">Home</h1>
      <Summary status={status} />
      <div class="lanes">
        <Lane title="Needs you" count={asked.length + others.length} none="Nothing needs you.">
          {first(asked).map((one) => (
            <Question key={`${one.project} ${one.identity} ${one.since}`} asked={one} />
          ))}
          {first(others).map((one) => (
            <WaitCard key={`${one.project} ${one.about} ${one.why}`} wait={one} vault={vault} />
          ))}
        </Lane>
        <Lane title="Working" count={working.length} none="No agent is at work.">
          {first(working).map((run) => (
            <RunCard
              key={`${run.project} ${run.run}`}
              run={run}
              place={places.get(`${run.project} ${run.branch}`)}
            />
          ))}
        </Lane>
        <Lane title="Done" count={done.rows.length} none="Nothing is done yet.">
          {first(done.rows).map((row) => (
            <Done key={`${row.project} ${row.id}`} row={row} />
          ))}
        </Lane>
      </div>
    </>
  );
}

function placesIn({ queue }: StatusView): Map<string, Place> {
  return new Map(
    queue.map(({ project, branch, status, position }) => [
      `${project} ${branch}`,
      { status, position: Number(position) },
    ]),
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
    {count === 0 ? <p class="quiet">{none}</p> : <div class="cards">{children}</div>}
  </section>
);

const Done = ({ row }: { row: HistoryRowView }) => (
  <article class="card">
    <h3>
      <a href={linkTo({ view: "run", project: row.project, ref: row.id })}>
        {/^\d+$/.test(row.reference) ? `#${row.reference} ${row.title}` : row.title}
      </a>
    </h3>
    {row.outcome !== "landed" && row.last_words !== "" && <p class="words">{row.last_words}</p>}
    <p class="meta">
      <span class={`outcome ${GOOD.includes(row.outcome) ? "good" : "bad"}`}>{row.outcome}</span>{" "}
      <Ago at={row.ended_at} />
      {row.cost_usd > 0 && ` · $${row.cost_usd.toFixed(2)}`} · {row.project}
    </p>
  </article>
);

const GOOD = ["landed", "answered"];
