// The published copies of a run (seeds 000 and 002): its hook, its identity, its last CI result.
import { join } from "node:path";
import { ciResult } from "../core/messages.ts";
import { hookRecord } from "../core/run/hook-record.ts";
import type { Run } from "../core/run/run.ts";
import type { Paths } from "./paths.ts";
import { agentView, hookPath, identityPath } from "./views/agents.ts";

export type Copy = { path: string; content: string };

type Known = Pick<Run, "phase" | "epoch"> & { session: string | undefined; copy: Copy };

export class RunCopies {
  readonly #paths: Paths;
  /** A session is seen far more often than its hook changes. */
  readonly #hooks = new WeakMap<Run["hook"], Known>();

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  /** The hook comes first: an identity that names it must not be there without it. */
  of(run: Run, now: number): Copy[] {
    const paths = this.#paths;
    const agent = agentView(run, { paths, now });
    if (agent === undefined) return [];
    return [
      this.#hook(run),
      { path: identityPath(run, paths), content: json(agent) },
      ...lastResult(run, paths),
    ];
  }

  #hook(run: Run): Copy {
    const { hook, phase, epoch } = run;
    const session = run.session?.id;
    const known = this.#hooks.get(hook);
    if (known?.phase === phase && known?.epoch === epoch && known?.session === session) {
      return known.copy;
    }
    const copy = { path: hookPath(run, this.#paths), content: json(hookRecord(run)) };
    this.#hooks.set(hook, { phase, epoch, session, copy });
    return copy;
  }
}

/** In the living session's own folder, where seed 000 has `/tmp/ci-result-…txt`. */
function lastResult({ project, id, session, check }: Run, paths: Paths): Copy[] {
  if (session?.status !== "live" || check === undefined) return [];
  const path = join(paths.session(project, id, session.epoch), "ci-result.txt");
  return [{ path, content: ciResult(check.outcome) }];
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
