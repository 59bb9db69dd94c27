// The target and everything that stands on it, in landing order, with what can be done to each.
import { useComputed } from "@preact/signals";
import { plainReason } from "../../api/queue-names.ts";
import { queueWord } from "../../api/queue-words.ts";
import type { EntryView, QueueView } from "../../api/queue.ts";
import { useAct } from "../act.ts";
import { inProject } from "../api.ts";
import { facts } from "../facts.ts";
import { now, Ago } from "../now.tsx";
import { linkTo } from "../route.ts";
import { span } from "../time.ts";
import { Trouble } from "../trouble.tsx";

export function Chain({ view }: { view: QueueView }) {
  const order = view.entries.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const proof = view.target_proof ?? "unknown";
  return (
    <ol class="chain" aria-label={`On the way to ${view.target ?? "the target"}`}>
      <li class="link target">
        <strong>{branchOf(view) ?? "target"}</strong>{" "}
        {view.target !== null && <code>{view.target.slice(0, 10)}</code>}
        <p>
          <span class={`chip ${PROOF_CLASS[proof] ?? ""}`}>{proof}</span>
        </p>
        {order.length === 0 && <p class="quiet">The queue is empty.</p>}
      </li>
      {order.map((entry) => (
        <Link key={entry.id} entry={entry} view={view} />
      ))}
    </ol>
  );
}

const branchOf = ({ project }: QueueView): string | null | undefined =>
  facts.value?.status.projects.find(({ name }) => name === project)?.target;

const PROOF_CLASS: Record<string, string> = { green: "good", red: "bad", broken: "warn" };

export const nameOf = ({ bead_id: issue, branch }: EntryView): string =>
  issue === null ? branch : `#${issue}`;

/** What an agent made leads to its run. */
export function Name({ entry, project }: { entry: EntryView; project: string }) {
  const { bead_id: issue } = entry;
  if (issue === null) return <strong>{nameOf(entry)}</strong>;
  const run = facts.value?.status.runs.find(
    (one) => one.project === project && one.branch === entry.branch,
  );
  return (
    <a class="name" href={linkTo({ view: "run", project, ref: run?.run ?? issue })}>
      {run === undefined ? nameOf(entry) : `#${issue} ${run.title}`}
    </a>
  );
}

function Link({ entry, view }: { entry: EntryView; view: QueueView }) {
  const { picture } = view;
  const slot = picture?.stack.find((one) => one.entry === entry.id);
  const isLanding = picture?.landing.includes(entry.id) === true;
  const isBuilding = picture?.building.includes(entry.id) === true;
  return (
    <li class={`link ${slot === undefined ? "" : "stacked"}`}>
      <Name entry={entry} project={view.project} />{" "}
      {entry.bead_id !== null && <span class="meta">{entry.branch}</span>}
      <p class="chips">
        <span class={`chip ${isLanding ? "busy" : ""}`}>{queueWord(entry.status)}</span>
        {isBuilding && <span class="chip busy">being stacked</span>}
        {slot !== undefined && slot.verdict !== null && (
          <span class={`chip ${slot.verdict === "green" ? "good" : "bad"}`}>{slot.verdict}</span>
        )}
        {entry.attempts > 1 && <span class="chip">try {entry.attempts}</span>}
        {entry.priority !== 0 && <span class="chip">priority {entry.priority}</span>}
        {entry.resolved_by !== null && <span class="chip">resolved by {entry.resolved_by}</span>}
      </p>
      {slot !== undefined && <TestedWith entry={entry} view={view} />}
      {slot !== undefined && slot.testing_since !== null && (
        <Testing since={slot.testing_since} typical={picture?.typical_test_seconds ?? null} />
      )}
      {entry.reason !== null && <p>{plainReason(entry.reason)}</p>}
      {entry.reason?.includes("conflicts with") !== true && <Conflicts entry={entry} view={view} />}
      <p class="meta">
        requested <Ago at={entry.requested_at} />
        {typeof picture?.typical_queue_seconds === "number" && !needsApproval(entry) && (
          <Expected at={entry.requested_at} seconds={picture.typical_queue_seconds} />
        )}
        {entry.approved_by !== null && ` · approved by ${entry.approved_by}`}
      </p>
      <Actions entry={entry} project={view.project} />
    </li>
  );
}

/** One test proves the whole stack up to the entry that it is about. */
function TestedWith({ entry, view: { picture, entries } }: { entry: EntryView; view: QueueView }) {
  const stack = picture?.stack ?? [];
  const own = stack.findIndex((one) => one.entry === entry.id);
  const tested = stack.slice(own).find((one) => one.testing_since !== null);
  const top = entries.find(({ id }) => id === tested?.entry);
  if (top === undefined || top.id === entry.id || stack[own]?.verdict !== null) return null;
  return <p class="meta">tested in one run with {nameOf(top)}</p>;
}

/** All that stands below it is tested with it. */
function Testing({ since, typical }: { since: string; typical: number | null }) {
  const gone = useComputed(() => Math.max(0, (now.value - Date.parse(since)) / 1000));
  const text = useComputed(
    () =>
      `under test for ${span(gone.value * 1000)}${typical === null ? "" : `, usually ${typical < 1 ? "less than a second" : span(typical * 1000)}`}`,
  );
  return (
    <p>
      {typical !== null && (
        <progress
          aria-label="Progress of the test"
          max={typical}
          value={Math.min(gone.value, typical)}
        />
      )}
      <span class="meta">{text}</span>
    </p>
  );
}

function Expected({ at, seconds }: { at: string; seconds: number }) {
  const text = useComputed(() => {
    const left = Date.parse(at) + seconds * 1000 - now.value;
    return left <= 0 ? " · later than usual" : ` · lands in about ${span(left)}`;
  });
  return <>{text}</>;
}

function Conflicts({ entry, view: { picture, entries } }: { entry: EntryView; view: QueueView }) {
  const own = picture?.conflicts.filter(({ entries: both }) => both.includes(entry.id)) ?? [];
  return (
    <>
      {own.map(({ entries: both, files }) => {
        const other = entries.find(({ id }) => id !== entry.id && both.includes(id));
        return (
          <p class="warning" key={both.join(" ")}>
            conflicts with {other === undefined ? "another" : nameOf(other)} in {files.join(", ")}
          </p>
        );
      })}
    </>
  );
}

/** Until then no time says when it lands. */
const needsApproval = (entry: EntryView): boolean =>
  entry.changes_policy && entry.approved_by === null;

function Actions({ entry, project }: { entry: EntryView; project: string }) {
  const doing = useAct({ again: true });
  const send = (verb: string, body: object = {}): void =>
    doing.send(inProject(`/v1/queue/${verb}`, project), { entry: entry.id, ...body });
  const button = (text: string, act: () => void, { label = text, kind = "" } = {}) => (
    <button
      type="button"
      class={kind}
      disabled={doing.isSent}
      title={`${label} ${entry.branch}`}
      aria-label={`${label} ${entry.branch}`}
      onClick={act}
    >
      {text}
    </button>
  );
  return (
    <>
      <div class="choices">
        {needsApproval(entry) && button("Approve", () => send("approve"), { kind: "main" })}
        {button("↑", () => send("priority", { priority: entry.priority + 1 }), {
          label: "Raise priority of",
        })}
        {button("↓", () => send("priority", { priority: entry.priority - 1 }), {
          label: "Lower priority of",
        })}
        {button("Remove", () => send("remove"))}
      </div>
      <Trouble of={doing} />
    </>
  );
}
