// What the page knows: read whole when something changed, never more than one reading at a time.
import { signal } from "@preact/signals";
import type { EscalationView } from "../api/escalations.ts";
import type { HistoryView } from "../api/history.ts";
import type { StatusView } from "../api/runs.ts";
import type { VaultView } from "../api/vault.ts";
import { get, inProject, part } from "./api.ts";
import { createReader } from "./reader.ts";

const DONE_SHOWN = 30;
/** A busy factory commits many times a second; a person reads fewer. */
const PAUSE_MS = 100;

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

export const refresh = createReader(readOnce, PAUSE_MS);

async function readOnce(): Promise<void> {
  try {
    const [status, asked, done] = await Promise.all([
      get<StatusView>("/v1/status?all=true&activity=true"),
      get<EscalationView[]>("/v1/escalations?all=true"),
      get<HistoryView>(`/v1/history?all=true&limit=${DONE_SHOWN}`),
    ]);
    facts.value = { status, asked, done, vault: await vaultOf(status) };
    trouble.value = undefined;
    reading.value += 1;
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
