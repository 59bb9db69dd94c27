// One glance in the morning: what the day brought and cost, what is new since the last look, and what is
// not as it should be although no one has to act yet.
import type { HistoryRowView } from "../api/history.ts";
import type { StatusView } from "../api/runs.ts";
import { isGood } from "./done-lane.tsx";
import type { Facts } from "./facts.ts";
import { projectWords } from "./links.ts";
import { Ago } from "./now.tsx";
import { linkTo } from "./route.ts";
import { isNew, seenAt } from "./seen.ts";

/** As many landings of a day as the daemon remembers. */
const LANDED_MAX = 50;

export const Summary = ({ facts: { status, done } }: { facts: Facts }) => (
  <div class="summary">
    <p>{[today(status), ...figuresOf(status)].filter((text) => text !== "").join(" · ")}</p>
    <SinceLastLook rows={done.rows} isMore={done.next !== null} />
    {notesOf(status).map(({ project, text, isMail }) => (
      <p class="warning" key={`${project} ${text}`}>
        {[...projectWords(project), ""].join(": ")}
        {isMail ? <a href={linkTo({ view: "factory" })}>{text}</a> : text}
      </p>
    ))}
  </div>
);

/** Of the UTC day, as budgets and plots have it. */
function today({ projects }: StatusView): string {
  const landed = projects.reduce((sum, one) => sum + (one.today?.landed ?? 0), 0);
  const usd = projects.reduce((sum, one) => sum + (one.today?.usd ?? 0), 0);
  const isMore = projects.some((one) => one.today?.landed === LANDED_MAX);
  const estimated = projects.reduce((sum, one) => sum + (one.today?.estimated_usd ?? 0), 0);
  const part = estimated < usd ? `$${estimated.toFixed(2)} of it ` : "";
  const estimate = estimated > 0 ? ` (${part}estimated)` : "";
  const spent = usd > 0 ? `, $${usd.toFixed(2)} spent${estimate}` : "";
  return `today ${isMore ? "at least " : ""}${landed} landed${spent}`;
}

function figuresOf({ projects, queue, runs }: StatusView): string[] {
  const sum = (of: "ready" | "waiting" | "blocked"): number =>
    projects.reduce((total, { backlog }) => total + backlog[of], 0);
  const backlog = (["ready", "waiting", "blocked"] as const)
    .filter((of) => sum(of) > 0)
    .map((of) => `${sum(of)} ${of}`);
  const alive = runs.filter((run) => run.alive).length;
  return [
    `${alive} ${alive === 1 ? "agent" : "agents"} alive`,
    `${queue.length} in the merge queue`,
    `backlog: ${backlog.join(", ") || "empty"}`,
    projects.length > 1 ? `${projects.length} projects` : "",
  ];
}

function SinceLastLook({ rows, isMore }: { rows: HistoryRowView[]; isMore: boolean }) {
  const fresh = rows.filter(({ ended_at: at }) => isNew(at));
  if (seenAt.value === undefined || fresh.length === 0) return null;
  const landed = fresh.filter(isGood).length;
  const others = fresh.length - landed;
  return (
    <p>
      <strong>
        New since you looked <Ago at={new Date(seenAt.value).toISOString()} />:
      </strong>{" "}
      {isMore && fresh.length === rows.length && "at least "}
      {landed} done
      {others > 0 && <span class="bad">, {others} not landed</span>}
    </p>
  );
}

type Note = { project: string; text: string; isMail?: boolean };

/** What `pawl status` shows, too, and no card does. */
function notesOf({ projects, waits }: StatusView): Note[] {
  return [
    ...projects.flatMap(({ name: project, forge }) =>
      typeof forge?.trouble === "string" ? [{ project, text: `polling: ${forge.trouble}` }] : [],
    ),
    ...waits
      .filter(({ needs_you }) => !needs_you)
      .map(({ project, about, why }) => ({
        project,
        text: `${about}: ${why}`,
        isMail: about === "mail",
      })),
  ];
}
