// Whether upstream would take a branch of Pawl: a push that git only pretends to do.
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";
import { parsePush } from "./push.ts";
import { resolve } from "./refs.ts";
import { upstreamUnreachable } from "./target.ts";

/** The doctor asks: its patience is short. */
const TIMEOUT_MS = 3_500;

export async function tryPush(context: GitContext, { branch }: { branch: string }): Promise<void> {
  if (context.upstream.kind === "local") return;
  const commit = await resolve(context, context.targetRef);
  if (commit === undefined) return;
  const args = ["push", "--dry-run", "--porcelain", "--no-verify", "--end-of-options"];
  const refspec = `${commit}:refs/heads/${branch}`;
  const result = await context.inHub([...args, context.upstream.url, refspec], {
    reach: "upstream",
    timeoutMs: TIMEOUT_MS,
    expect: [0, 1, 128],
    what: "try a push to upstream",
  });
  if (result.exitCode === 0) return;
  const outcome = parsePush(result.stdout, result.stderr);
  if (outcome?.kind !== "declined") throw upstreamUnreachable(`push ${branch}`, result.stderr);
  throw new OperationError(`cannot push ${branch} to upstream: ${outcome.reason}`, {
    code: "push-rejected",
    hint: "allow Pawl's account to push to pawl/*",
  });
}
