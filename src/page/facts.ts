// What the page knows. The change feed brings the runs that changed, and they are drawn again; where
// more changed, all is read, never more than one reading at a time.
import { batch, signal } from "@preact/signals";
import type { ChangedView } from "../api/changes.ts";
import type { EscalationView } from "../api/escalations.ts";
import type { HistoryView } from "../api/history.ts";
import type { RunView, StatusView } from "../api/runs.ts";
import type { VaultView } from "../api/vault.ts";
import { get, inProject, part } from "./api.ts";
import { createReader } from "./reader.ts";

export const DONE_SHOWN = 30;
/** A busy factory commits many times a second; a person reads fewer. */
const PAUSE_MS = 100;
/** What the feed brought asks the daemon for nothing. */
const REDRAW_PAUSE_MS = 30;
/** What follows from the time alone, as how busy a silent run was, is read now and then. */
const WHOLE_EVERY_MS = 60_000;

export type Facts = {
  status: StatusView;
  asked: EscalationView[];
  done: HistoryView;
  /** Only what waits for a person. */
  vault: VaultView[];
};

export const facts = signal<Facts | undefined>(undefined);
export const trouble = signal<string | undefined>(undefined);
/** Said once, until the page is loaded again. */
export const notice = signal<string | undefined>(undefined);
/** Rises with every reading: views that show more read their part again. */
export const reading = signal(0);
/** How often each run was drawn again since the last reading. */
export const redrawn = signal<Readonly<Record<string, number>>>({});

export const refresh = createReader(readOnce, PAUSE_MS);

const keyOf = ({ project, run }: { project: string; run: string }): string => `${project} ${run}`;

/** Another one whenever something of this run may have changed. */
export const versionOf = (project: string, run: string): string =>
  `${reading.value} ${redrawn.value[keyOf({ project, run })] ?? 0}`;

/** Runs that are not drawn yet, and those that came since the reading under way began. */
const waiting = new Map<string, RunView>();
const sinceRead = new Map<string, RunView>();
let readAt = 0;

/** Undefined: anything may have changed. */
export function takeChanges(changed: ChangedView | undefined): void {
  for (const run of changed?.runs ?? []) {
    waiting.set(keyOf(run), run);
    sinceRead.set(keyOf(run), run);
  }
  if (changed === undefined || changed.rest) refresh();
  if (waiting.size > 0) redraw();
}

const redraw = createReader(async () => {
  const known = facts.value;
  if (known === undefined) return;
  const runs = known.status.runs.map((run) => {
    const now = waiting.get(keyOf(run));
    return now !== undefined && isOnlyAtWork(run) && isOnlyAtWork(now) ? now : run;
  });
  const drawn = runs.filter((run) => waiting.get(keyOf(run)) === run).map(keyOf);
  if (drawn.length < waiting.size || Date.now() - readAt > WHOLE_EVERY_MS) refresh();
  waiting.clear();
  if (drawn.length === 0) return;
  const counts = drawn.map((key) => [key, (redrawn.value[key] ?? 0) + 1]);
  batch(() => {
    facts.value = { ...known, status: { ...known.status, runs } };
    redrawn.value = { ...redrawn.value, ...Object.fromEntries(counts) };
  });
}, REDRAW_PAUSE_MS);

/** Nothing beside its own card shows it: a question or an end is on others, too. */
const isOnlyAtWork = ({ needs_you, outcome }: RunView): boolean =>
  needs_you === null && outcome === null;

async function readOnce(): Promise<void> {
  sinceRead.clear();
  readAt = Date.now();
  try {
    const [status, asked, done] = await Promise.all([
      get<StatusView>("/v1/status?all=true&runs=living&activity=true"),
      get<EscalationView[]>("/v1/escalations?all=true"),
      get<HistoryView>(`/v1/history?all=true&limit=${DONE_SHOWN}`),
    ]);
    const vault = await vaultOf(status);
    batch(() => {
      facts.value = { status, asked, done, vault };
      trouble.value = undefined;
      reading.value += 1;
      redrawn.value = {};
    });
    // The answer may be older than what came meanwhile.
    for (const [key, run] of sinceRead) waiting.set(key, run);
    if (waiting.size > 0) redraw();
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
  }
}

/** The payload is what a person approves, so that it is read with the wait that asks for it. */
function vaultOf({ waits }: StatusView): Promise<VaultView[]> {
  const items = waits.flatMap(({ project, act }) =>
    act?.kind === "vault" ? [inProject(`/v1/vault/${part(act.item)}`, project)] : [],
  );
  return Promise.all(items.map((path) => get<VaultView>(path)));
}
