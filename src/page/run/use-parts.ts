// What the page shows of one run: read again when something changed.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ChangesOfView } from "../../api/changes-of.ts";
import type { RunView } from "../../api/runs.ts";
import { CallError, get, inProject, part } from "../api.ts";
import { reading } from "../facts.ts";
import { createReader } from "../reader.ts";

const PAUSE_MS = 2000;

type Parts = { run: RunView; why: string[]; changes: ChangesOfView };

const NOTHING: ChangesOfView = { files: [], is_cut: false };

async function readParts(project: string, id: string): Promise<Parts> {
  const path = (rest: string): string => inProject(rest, project);
  const run = await get<RunView>(path(`/v1/runs/${part(id)}`));
  const ref = run.issue ?? run.identity;
  const [why, changes] = await Promise.all([
    orElse(get<{ lines: string[] }>(path(`/v1/why/${part(ref)}`)), { lines: [] }),
    run.outcome === null
      ? orElse(get<ChangesOfView>(path(`/v1/runs/${part(id)}/changes`)), NOTHING)
      : NOTHING,
  ]);
  return { run, why: why.lines, changes };
}

/** A run that is over has no workspace to compare, and one that just began has no log. */
const orElse = <T>(call: Promise<T>, otherwise: T): Promise<T> =>
  call.catch((error: unknown) => {
    if (error instanceof CallError) return otherwise;
    throw error;
  });

export const wordsOf = (error: unknown): string =>
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
