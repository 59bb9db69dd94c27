// Sessions that were started and have not shown any work: is their prompt there, and empty? Only
// agents whose screens can be read are ever ready; the others begin by themselves. A prompt box is
// empty during a turn too, so that an agent that tells its state must say that it is idle.
import type { PendingFact } from "../../core/patrol/patrol-event.ts";
import { hasBegun } from "../../core/run/message-reactions.ts";
import { isAtWork, isAttended, type Run } from "../../core/run/run.ts";
import { agentEnvironment } from "../sessions/recompose-environment.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";

/** An agent takes so long to begin. */
const BEGIN_MS = 20_000;
const SCREEN_LINES = 60;

export type PendingSpawn = PendingFact & { sinceMs: number; screen: string };

type Deps = { ports: Ports; paths: Paths };

export async function pendingSpawns(runs: Run[], deps: Deps): Promise<PendingSpawn[]> {
  const { ports } = deps;
  const found: PendingSpawn[] = [];
  for (const run of runs) {
    const { session } = run;
    const sinceMs = ports.clock.now() - (session?.startedAt ?? 0);
    if (session?.status !== "live" || !isAtWork(run) || isAttended(run)) continue;
    if (hasBegun(session) || sinceMs < BEGIN_MS) continue;
    const { text, ready } = await screenOf(run, deps);
    const { id, identity } = run;
    found.push({ run: id, identity, epoch: session.epoch, ready, sinceMs, screen: text });
  }
  return found;
}

async function screenOf(run: Run, deps: Deps): Promise<{ text: string; ready: boolean }> {
  const { ports } = deps;
  const pane = run.session?.pane?.pane;
  const captured =
    pane === undefined ? "unknown" : await ports.terminal.capture({ pane, lines: SCREEN_LINES });
  if (captured === "unknown") return { text: "", ready: false };
  const { text } = captured;
  const agent = ports.agent(run.config.agent.runtime);
  const isFree = agent.readScreen?.(text).kind === "free";
  return { text, ready: isFree && (await isIdle(run, deps)) };
}

async function isIdle(run: Run, deps: Deps): Promise<boolean> {
  const agent = deps.ports.agent(run.config.agent.runtime);
  if (agent.idleSince === undefined) return true;
  return (await agent.idleSince(agentEnvironment(run, run.epoch, deps))) !== undefined;
}
