// The published copies of a run (seeds 000 and 002): its hook, its identity, its last CI result.
import { join } from "node:path";
import { ciResult } from "../core/messages.ts";
import { hookRecord } from "../core/run/hook-record.ts";
import type { Run } from "../core/run/run.ts";
import type { Paths } from "./paths.ts";
import { agentView, hookPath, identityPath } from "./views/agents.ts";

export type Copy = { path: string; content: string };

/** The hook comes first: an identity that names it must not be there without it. */
export function copiesOfRun(run: Run, context: { paths: Paths; now: number }): Copy[] {
  const { paths } = context;
  const agent = agentView(run, context);
  if (agent === undefined) return [];
  return [
    { path: hookPath(run, paths), content: json(hookRecord(run)) },
    { path: identityPath(run, paths), content: json(agent) },
    ...lastResult(run, paths),
  ];
}

/** In the living session's own folder, where seed 000 has `/tmp/ci-result-…txt`. */
function lastResult({ project, id, session, check }: Run, paths: Paths): Copy[] {
  if (session?.status !== "live" || check === undefined) return [];
  const path = join(paths.session(project, id, session.epoch), "ci-result.txt");
  return [{ path, content: ciResult(check.outcome) }];
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
