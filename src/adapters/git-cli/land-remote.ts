// Landing on a remote: a push that goes forward from the very commit that was tested, so that what
// its owner removed from the target a moment ago does not come back. The user's clone is left alone.
import type { Commit } from "../../core/ids.ts";
import type { LandingOutcome } from "../../core/merge-queue/entry.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";
import { movedOrLanded, notForward } from "./land-local.ts";
import type { PushOutcome } from "./push.ts";
import { push } from "./push.ts";
import { isAncestor, setRef } from "./refs.ts";

type Request = { candidate: Commit; expected: Commit };

export async function landRemote(
  context: GitContext,
  url: string,
  request: Request,
): Promise<LandingOutcome> {
  const { candidate, expected } = request;
  // A lease alone would accept any history.
  if (!(await isAncestor(context, expected, candidate))) throw notForward(request);
  await context.crash("git.land.before-push");
  const ref = `refs/heads/${context.target}`;
  const outcome = await push(context, {
    url,
    refspec: `${candidate}:${ref}`,
    lease: `${ref}:${expected}`,
  });
  await context.crash("git.land.pushed");
  if (outcome.kind === "pushed") {
    await setRef(context, context.targetRef, candidate);
    await context.crash("git.land.followed");
    return { kind: "landed", commit: candidate };
  }
  const seen = await movedOrLanded(context, candidate);
  if (seen.kind === "landed" || outcome.kind === "declined") {
    return seen.kind === "landed" ? seen : rejected(context, outcome);
  }
  if (seen.kind === "target-moved" && seen.target !== expected) return seen;
  throw new OperationError(
    `cannot push to ${context.target}: upstream was busy with the same branch`,
    {
      code: "target-locked",
      retryable: true,
    },
  );
}

function rejected(context: GitContext, outcome: PushOutcome): LandingOutcome {
  if (outcome.kind !== "declined") throw new Error(`the push was ${outcome.kind}, not declined`);
  const said = outcome.remoteSaid === "" ? "" : `: ${outcome.remoteSaid}`;
  return {
    kind: "rejected",
    why: `upstream refused the push to ${context.target}: ${outcome.reason}${said}`,
    hint: `allow Pawl's account to push to ${context.target}, or let the forge merge`,
  };
}
