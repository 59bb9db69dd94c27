// The merge queue of each project as a picture: the target, what is stacked on it and under test, who
// waits for whom, what was proven, and what you can do about it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { plainReason } from "../../api/queue-names.ts";
import { queueWord } from "../../api/queue-words.ts";
import type { QueueView } from "../../api/queue.ts";
import type { StatusView } from "../../api/runs.ts";
import { useAct } from "../act.ts";
import { CallError, get, inProject } from "../api.ts";
import { reading } from "../facts.ts";
import { Ago } from "../now.tsx";
import { linkTo } from "../route.ts";
import { span } from "../time.ts";
import { Trouble } from "../trouble.tsx";
import { Chain, nameOf } from "./chain.tsx";
import { failingText, REMEMBERED, tookText } from "./proof-words.ts";

const PAST_SHOWN = 20;

export const Queues = ({ projects }: { projects: StatusView["projects"] }) => (
  <>
    <h1 class="unseen">Merge queue</h1>
    {projects.length === 0 && <p class="quiet">No project is registered.</p>}
    {projects.map(({ name }) => (
      <ProjectQueue key={name} project={name} />
    ))}
  </>
);

function ProjectQueue({ project }: { project: string }) {
  const queue = useSignal<QueueView | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const read = async (): Promise<void> => {
    try {
      queue.value = await get<QueueView>(inProject("/v1/queue", project));
      trouble.value = undefined;
    } catch (error) {
      trouble.value = error instanceof CallError ? error.message : "the daemon does not answer";
    }
  };
  useEffect(() => {
    read().catch((error: unknown) => console.error(error));
  }, [reading.value]);
  const view = queue.value;
  if (view === undefined) return <p class="quiet">{trouble.value ?? "Reading…"}</p>;
  return (
    <section class="queue" aria-label={`Merge queue of ${project}`}>
      <Head view={view} />
      <Trouble of={{ trouble }} />
      {view.why !== null && (
        <p class="question">
          {view.why}
          {view.hint !== null && ` (${view.hint})`}
        </p>
      )}
      <Chain view={view} />
      <div class="columns">
        <Proven view={view} />
        <Left view={view} />
      </div>
    </section>
  );
}

function Head({ view }: { view: QueueView }) {
  const doing = useAct({ again: true });
  const isPaused = view.paused !== null;
  const merged = view.past.filter(({ status }) => status === "merged").length;
  const typical = view.picture?.typical_queue_seconds;
  const act = (): void =>
    isPaused
      ? doing.send(inProject("/v1/queue/resume", view.project), {})
      : doing.send(inProject("/v1/queue/pause", view.project), { why: "paused on the page" });
  const figures = [
    typeof typical === "number"
      ? `a branch usually lands within ${span(typical * 1000)}`
      : undefined,
    `${merged} landed lately`,
    failingText(view),
  ].filter((text) => text !== undefined);
  return (
    <>
      <h2>
        {view.project} <span class={`chip ${STATE_CLASS[view.state]}`}>{view.state}</span>
        <span class="meta">{figures.join(" · ")}</span>
        <button type="button" disabled={doing.isSent} onClick={act}>
          {isPaused ? "Resume" : "Pause"}
        </button>
      </h2>
      <Trouble of={doing} />
    </>
  );
}

const STATE_CLASS = {
  idle: "",
  working: "busy",
  paused: "warn",
  stopped: "bad",
  waiting: "warn",
} as const;

function Proven({ view: { project, picture, entries, past } }: { view: QueueView }) {
  if (picture === undefined || picture.proven.length === 0) return null;
  const names = new Map([...past, ...entries].map((entry) => [entry.id, nameOf(entry)]));
  return (
    <section aria-label={`What was proven in ${project}`}>
      <h3>What passed, and in which run</h3>
      <ol class="facts">
        {picture.proven.map((one) => (
          <li key={`${one.at} ${one.entries.join(" ")}`}>
            <span class={`chip ${RESULT_CLASS[one.result]}`}>{one.result}</span>{" "}
            {one.entries.length === 0
              ? "the bare target"
              : one.entries.map((id) => names.get(id) ?? `e${id}`).join(" + ")}
            {one.detail !== null && `: ${one.detail}`}
            {one.flaky && <span class="chip warn after">flaky</span>}
            {one.remembered && <span class="chip after">{REMEMBERED}</span>}{" "}
            <span class="meta">
              {tookText(one)}
              <Ago at={one.at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const RESULT_CLASS = { passed: "good", failed: "bad", infra: "warn" } as const;

function Left({ view: { project, past } }: { view: QueueView }) {
  if (past.length === 0) return null;
  return (
    <section aria-label={`Left the queue of ${project}`}>
      <h3>Left the queue</h3>
      <ul class="facts">
        {past
          .slice(-PAST_SHOWN)
          .toReversed()
          .map((entry) => (
            <li key={entry.id}>
              <span class={`chip ${entry.status === "merged" ? "good" : "bad"}`}>
                {queueWord(entry.status)}
              </span>{" "}
              {entry.bead_id === null ? (
                entry.branch
              ) : (
                <a href={linkTo({ view: "run", project, ref: entry.bead_id })}>{entry.branch}</a>
              )}
              {entry.reason !== null && `: ${plainReason(entry.reason)}`}{" "}
              <span class="meta">
                {entry.merged_as !== null && `as ${entry.merged_as.slice(0, 10)}, `}
                {entry.approved_by !== null && `approved by ${entry.approved_by}, `}
                {entry.left_at !== null && <Ago at={entry.left_at} />}
              </span>
            </li>
          ))}
      </ul>
    </section>
  );
}
