// Tells others, as a signal, what happened to a run's identity.
import type { Context } from "../context.ts";
import type { SignalKind } from "../signal.ts";
import type { Run } from "./run.ts";

export function announce(
  run: Run,
  news: { kind: SignalKind; detail: Record<string, unknown> },
  context: Context,
): void {
  context.output.signals.push({
    kind: news.kind,
    at: context.at,
    project: run.project,
    identity: run.identity,
    run: run.id,
    detail: { session_id: run.session?.id, ...news.detail },
  });
}
