// The merge queue of each project: what is tested, what waits for what, what left it and why.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { EntryView, QueueView } from "../api/queue.ts";
import type { StatusView } from "../api/runs.ts";
import { CallError, get, inProject, post } from "./api.ts";
import { reading, refresh } from "./facts.ts";
import { ago } from "./time.ts";

const PAST_SHOWN = 10;

export const Queues = ({ projects }: { projects: StatusView["projects"] }) => (
  <>
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
  const act = async (verb: "pause" | "resume"): Promise<void> => {
    try {
      const body = verb === "pause" ? { why: "paused on the page" } : {};
      await post(inProject(`/v1/queue/${verb}`, project), body);
      refresh();
    } catch (error) {
      trouble.value = error instanceof CallError ? error.message : "the daemon does not answer";
    }
  };
  const view = queue.value;
  if (view === undefined) return <p class="quiet">{trouble.value ?? "Reading…"}</p>;
  const isPaused = view.paused !== null;
  return (
    <section class="queue" aria-label={`Merge queue of ${project}`}>
      <h2>
        {project} <span class="count">{view.state}</span>
        <button
          type="button"
          onClick={() => {
            act(isPaused ? "resume" : "pause").catch((error: unknown) => console.error(error));
          }}
        >
          {isPaused ? "Resume" : "Pause"}
        </button>
      </h2>
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
      {view.why !== null && <p>{view.why}</p>}
      {view.entries.length === 0 && <p class="quiet">The queue is empty.</p>}
      <ol class="entries">
        {view.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      {view.past.length > 0 && <h3>Left the queue</h3>}
      <ul class="entries">
        {view.past
          .slice(-PAST_SHOWN)
          .toReversed()
          .map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
      </ul>
    </section>
  );
}

const Entry = ({ entry }: { entry: EntryView }) => (
  <li class="card">
    <h4>
      {entry.branch}{" "}
      <span class={`outcome ${entry.status === "merged" ? "good" : ""}`}>{entry.status}</span>
    </h4>
    {entry.reason !== null && <p>{entry.reason}</p>}
    {entry.conflict_files.length > 0 && <p>Conflicts in {entry.conflict_files.join(", ")}</p>}
    <p class="meta">
      {[
        entry.identity_name,
        `requested ${ago(entry.requested_at, Date.now())}`,
        entry.merged_as && `landed as ${entry.merged_as.slice(0, 10)}`,
        entry.approved_by && `approved by ${entry.approved_by}`,
      ]
        .filter(Boolean)
        .join(" · ")}
    </p>
  </li>
);
