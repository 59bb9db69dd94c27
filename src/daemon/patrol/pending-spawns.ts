// Sessions that were started and have not shown any work: is their prompt there, and empty? Only
// agents whose screens can be read are ever ready; the others begin by themselves.
import type { PendingFact } from "../../core/patrol/patrol-event.ts";
import { isAtWork, isAttended, type Run } from "../../core/run/run.ts";
import type { Ports } from "../ports.ts";

/** An agent takes so long to begin. */
const BEGIN_MS = 20_000;
/** Progress this soon after the start is the start itself. */
const START_MS = 15_000;
const SCREEN_LINES = 60;

export type PendingSpawn = PendingFact & { sinceMs: number; screen: string };

export async function pendingSpawns(runs: Run[], ports: Ports): Promise<PendingSpawn[]> {
  const found: PendingSpawn[] = [];
  for (const run of runs) {
    const { session } = run;
    const sinceMs = ports.clock.now() - (session?.startedAt ?? 0);
    if (session?.status !== "live" || !isAtWork(run) || isAttended(run)) continue;
    const began = session.spoke || session.lastProgress - session.startedAt > START_MS;
    if (began || sinceMs < BEGIN_MS) continue;
    const { text, ready } = await screenOf(run, ports);
    const { id, identity } = run;
    found.push({ run: id, identity, epoch: session.epoch, ready, sinceMs, screen: text });
  }
  return found;
}

async function screenOf(run: Run, ports: Ports): Promise<{ text: string; ready: boolean }> {
  const pane = run.session?.pane?.pane;
  const captured =
    pane === undefined ? "unknown" : await ports.terminal.capture({ pane, lines: SCREEN_LINES });
  if (captured === "unknown") return { text: "", ready: false };
  const { text } = captured;
  const agent = ports.agent(run.config.agent.runtime);
  return { text, ready: agent.readScreen?.(text).kind === "free" };
}
