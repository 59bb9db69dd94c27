// One run: where it stands and why, its terminal, its diff, and what you can do with it.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { RunView } from "../api/runs.ts";
import { CallError, get, inProject, part, post } from "./api.ts";
import { Diff } from "./diff.tsx";
import { facts, reading, refresh } from "./facts.ts";
import { nameOf } from "./name-of.ts";
import { Question } from "./question.tsx";
import { createReader } from "./reader.ts";
import { ago } from "./time.ts";

const LOG_BYTES = 16_000;
const PAUSE_MS = 2000;

type Parts = { run: RunView; why: string[]; log: string; diff: string };

async function readParts(project: string, id: string): Promise<Parts> {
  const path = (rest: string): string => inProject(rest, project);
  const run = await get<RunView>(path(`/v1/runs/${part(id)}`));
  // A run that is over has no workspace to compare, and one that just began has no log.
  const optional = <T,>(call: Promise<T>, otherwise: T): Promise<T> =>
    call.catch((error: unknown) => {
      if (error instanceof CallError) return otherwise;
      throw error;
    });
  const ref = run.issue ?? run.identity;
  const [why, log, diff] = await Promise.all([
    optional(get<{ lines: string[] }>(path(`/v1/why/${part(ref)}`)), { lines: [] }),
    optional(get<{ text: string }>(path(`/v1/runs/${part(id)}/log?bytes=${LOG_BYTES}`)), {
      text: "",
    }),
    run.outcome === null
      ? optional(get<{ diff: string }>(path(`/v1/runs/${part(id)}/diff`)), { diff: "" })
      : { diff: "" },
  ]);
  return { run, why: why.lines, log: log.text, diff: diff.diff };
}

/** Read again when something changed. */
function useParts(project: string, id: string) {
  const parts = useSignal<Parts | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const said = (error: unknown): void => {
    trouble.value = error instanceof CallError ? error.message : "the daemon does not answer";
  };
  // A diff makes the daemon read the whole workspace: not at every commit of the factory.
  const read = useMemo(
    () =>
      createReader(async () => {
        try {
          parts.value = await readParts(project, id);
          trouble.value = undefined;
        } catch (error) {
          said(error);
        }
      }, PAUSE_MS),
    [],
  );
  useEffect(read, [reading.value]);
  return { parts, trouble, said };
}

export function RunPage({ project, id }: { project: string; id: string }) {
  const { parts, trouble, said } = useParts(project, id);
  const act = (verb: string): void => {
    post(inProject(`/v1/runs/${part(id)}/${verb}`, project), {}).then(refresh, said);
  };
  if (parts.value === undefined) return <p class="quiet">{trouble.value ?? "Reading…"}</p>;
  const { run, why, log, diff } = parts.value;
  return (
    <article class="run">
      <h1>{nameOf(run)}</h1>
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
      <p class="meta">{metaOf(run).join(" · ")}</p>
      {run.outcome === null && (
        <div class="choices">
          {["stop", "retry", "hold", "release"].map((verb) => (
            <button key={verb} type="button" onClick={() => act(verb)}>
              {verb}
            </button>
          ))}
        </div>
      )}
      {facts.value?.asked
        .filter((one) => one.project === run.project && one.run === run.run)
        .map((one) => (
          <Question key={one.since} asked={one} now={Date.now()} />
        ))}
      <section aria-label="Why">
        <h2>Why it stands where it stands</h2>
        <ul>
          {(why.length === 0 ? [run.doing] : why).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      <section aria-label="Terminal">
        <h2>Terminal</h2>
        {log === "" ? <p class="quiet">It has shown nothing.</p> : <pre tabIndex={0}>{log}</pre>}
      </section>
      {diff !== "" && (
        <section aria-label="Changes">
          <h2>Changes</h2>
          <Diff text={diff} />
        </section>
      )}
    </article>
  );
}

const metaOf = (run: RunView): string[] =>
  [
    run.project,
    run.identity,
    run.agent,
    run.outcome ?? run.stage,
    `branch ${run.branch}`,
    run.pr === null ? "" : `PR ${run.pr}`,
    `started ${ago(run.requested_at, Date.now())}`,
    run.landed_as === null ? "" : `landed as ${run.landed_as.slice(0, 10)}`,
    run.crashes === 0 ? "" : `${run.crashes} crashes`,
  ].filter((text) => text !== "");
