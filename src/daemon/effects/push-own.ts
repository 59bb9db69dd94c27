// Pushes to a branch that only Pawl should write while this is done: another writer's commits there
// are not overwritten, and a person has to decide.
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { EffectContext } from "./executor.ts";

export async function pushOwn(
  { own }: EffectContext,
  { branch, head }: { branch: string; head: Commit },
): Promise<void> {
  const pushed = await own.git.pushBranch({ branch, head });
  if (pushed.kind === "pushed") return;
  throw new OperationError(`cannot push ${branch} to upstream: another writer pushed to it`, {
    code: "branch-moved-upstream",
    hint: `look at upstream's ${branch}; delete it there to let Pawl push its own`,
  });
}
