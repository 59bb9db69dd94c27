// What the page shows of one run: read again when something changed.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { RunView } from "../../api/runs.ts";
import { CallError, get, inProject, part } from "../api.ts";
import { reading } from "../facts.ts";
import { createReader } from "../reader.ts";

const LOG_BYTES = 16_000;
const PAUSE_MS = 2000;

type Parts = { run: RunView; why: string[]; log: string; diff: string };

async function readParts(project: string, id: string): Promise<Parts> {
  const path = (rest: string): string => inProject(rest, project);
  const run = await get<RunView>(path(`/v1/runs/${part(id)}`));
  const ref = run.issue ?? run.identity;
  const [why, log, diff] = await Promise.all([
    orElse(get<{ lines: string[] }>(path(`/v1/why/${part(ref)}`)), { lines: [] }),
    orElse(get<{ text: string }>(path(`/v1/runs/${part(id)}/log?bytes=${LOG_BYTES}`)), {
      text: "",
    }),
    run.outcome === null
      ? orElse(get<{ diff: string }>(path(`/v1/runs/${part(id)}/diff`)), { diff: "" })
      : { diff: "" },
  ]);
  return { run, why: why.lines, log: log.text, diff: diff.diff };
}

/** A run that is over has no workspace to compare, and one that just began has no log. */
const orElse = <T>(call: Promise<T>, otherwise: T): Promise<T> =>
  call.catch((error: unknown) => {
    if (error instanceof CallError) return otherwise;
    throw error;
  });

const wordsOf = (error: unknown): string =>
  error instanceof CallError ? error.message : "the daemon does not answer";

export function useParts(project: string, id: string) {
  const parts = useSignal<Parts | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  const said = (error: unknown): void => {
    trouble.value = wordsOf(error);
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
