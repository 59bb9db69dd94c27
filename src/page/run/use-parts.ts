// What the page shows of one run: read again when something changed.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ChangesOfView } from "../../api/run-changes.ts";
import type { RunView } from "../../api/runs.ts";
import { CallError, get, inProject, part } from "../api.ts";
import { facts, versionOf } from "../facts.ts";
import { createReader } from "../reader.ts";

const PAUSE_MS = 2000;

/** What is undefined is still being read. */
type Parts = { run: RunView; why?: string[]; changes?: ChangesOfView };

const NOTHING: ChangesOfView = { files: [], is_cut: false };

async function readParts(project: string, id: string): Promise<Parts> {
  const path = (rest: string): string => inProject(rest, project);
  const run = await get<RunView>(path(`/v1/runs/${part(id)}`));
  const ref = run.issue ?? run.identity;
  const [why, changes] = await Promise.all([
    orElse(get<{ lines: string[] }>(path(`/v1/why/${part(ref)}`)), { lines: [] }),
    orElse(get<ChangesOfView>(path(`/v1/runs/${part(id)}/changes`)), NOTHING),
  ]);
  return { run, why: why.lines, changes };
}

/** A workspace may be gone, and a run that just began has none. */
const orElse = <T>(call: Promise<T>, otherwise: T): Promise<T> =>
  call.catch((error: unknown) => {
    if (error instanceof CallError) return otherwise;
    throw error;
  });

export const wordsOf = (error: unknown): string =>
  error instanceof CallError ? error.message : "the daemon does not answer";

/** A run that a card showed is there at once: its terminal need not wait for its diff. */
function knownOf(project: string, id: string): Parts | undefined {
  const runs = facts.value?.status.runs ?? [];
  const run = runs.find((one) => one.project === project && one.run === id);
  return run === undefined ? undefined : { run };
}

export function useParts(project: string, id: string) {
  const parts = useSignal<Parts | undefined>(knownOf(project, id));
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
  useEffect(read, [versionOf(project, id)]);
  return { parts, trouble };
}
