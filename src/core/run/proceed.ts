// What follows when no life of a run's agent is running. A dead agent is never a finished one:
// it depends on the stage, on the evidence, and on what people said.
import type { Context } from "../context.ts";
import { exitedWithoutPhase } from "../messages.ts";
import { isLive } from "../session/session.ts";
import { clearAway } from "./clear.ts";
import { escalate } from "./escalate.ts";
import { isActionable } from "./message.ts";
import { openMessages, post } from "./post.ts";
import type { Run } from "./run.ts";
import { spawn } from "./session-life.ts";

const BACKOFF_FIRST_MS = 10_000;
const BACKOFF_MAX_MS = 300_000;
/** Shells use these for "cannot execute" and "not found": starting again cannot help. */
const CANNOT_START = new Set([126, 127]);

/** Nothing of the last life runs any more, and its work is saved. */
export function sessionEnded(run: Run, epoch: number, context: Context): Run {
  const { session } = run;
  if (session === undefined || session.epoch !== epoch || session.status !== "ending") return run;
  if (session.verdict !== "crashed") {
    context.output.signals.push({
      kind: "AGENT_TERMINATED",
      at: context.at,
      project: run.project,
      identity: run.identity,
      run: run.id,
      detail: { session_id: session.id, verdict: session.verdict },
    });
  }
  return proceed({ ...run, session: { ...session, status: "ended" } }, context);
}

/** What follows when no life is running. Also called when a person lets a held or stopped run go on. */
export function proceed(run: Run, context: Context): Run {
  if (isLive(run.session)) return run;
  if (run.stage.kind === "landed" || run.stage.kind === "blocking") return clearAway(run, context);
  if (run.stopped !== undefined || run.held !== undefined) return run;
  if (run.stage.kind === "claiming" || run.stage.kind === "preparing") return run;
  if (run.stage.kind === "ended") return run;
  if (run.stage.kind === "escalated") return run;
  const verdict = run.session?.verdict;
  if (verdict === "crashed") return afterCrash(run, context);
  if (verdict === "incomplete") return afterSilence(run, context);
  if (verdict === "completed" && !openMessages(run).some(isActionable)) return run;
  return spawn(run, context);
}

function afterCrash(run: Run, context: Context): Run {
  const { session } = run;
  const code = session?.exit?.code ?? undefined;
  if (session !== undefined && !session.spoke && code !== undefined && CANNOT_START.has(code)) {
    return escalate(run, { reason: cannotStart(run, code) }, context);
  }
  const sinceCommit = run.crashes.filter((crash) => crash.head === run.head);
  if (sinceCommit.length >= run.config.limits.crashesMax) {
    return escalate(
      run,
      { reason: `crashed ${sinceCommit.length} times without a new commit` },
      context,
    );
  }
  const delay = backoffMs(sinceCommit.length);
  if (delay === 0) return spawn(run, context);
  return { ...run, respawnAt: context.at + delay };
}

const cannotStart = (run: Run, code: number): string =>
  code === 127
    ? `the agent's command ${JSON.stringify(run.config.agent.command)} was not found (exit code 127)`
    : `the agent's command ${JSON.stringify(run.config.agent.command)} could not be executed (exit code 126)`;

/** The first successor starts at once; then 10 s, doubling to 5 min. */
export const backoffMs = (crashes: number): number =>
  crashes <= 1 ? 0 : Math.min(BACKOFF_FIRST_MS * 2 ** (crashes - 2), BACKOFF_MAX_MS);

function afterSilence(run: Run, context: Context): Run {
  if (run.counts.nudges >= run.config.limits.nudgesMax) {
    return escalate(
      run,
      { reason: "idle_prompt: the agent ended without writing a phase" },
      context,
    );
  }
  const counts = { ...run.counts, nudges: run.counts.nudges + 1 };
  return spawn(
    post({ ...run, counts }, { kind: "nudge", text: exitedWithoutPhase() }, context),
    context,
  );
}
