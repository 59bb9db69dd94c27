// The first fetch from a remote takes from the user's own clone what that has from the remote already:
// gigabytes need not cross the network again, and a fetch that breaks off begins from there.
import { OperationError } from "../../lib/operation-error.ts";
import type { GitContext } from "./context.ts";
import { FETCH_LOCAL, NETWORK_TIMEOUT_MS } from "./context.ts";

const SEED = "refs/pawl/seed/";

/** Only what came from a remote: branches of the user's own are none of Pawl's business. */
export async function seedFromUser(
  context: GitContext,
  findClone: () => Promise<string>,
): Promise<void> {
  try {
    const dir = await findClone();
    if (await isPartial(context, dir)) return;
    const { target } = context;
    const refspec = `+refs/remotes/*/${target}:${SEED}*/${target}`;
    const how = { timeoutMs: NETWORK_TIMEOUT_MS, what: "take what your clone has" };
    await context.inHub([...FETCH_LOCAL, "--end-of-options", dir, refspec], how);
  } catch (error) {
    // No clone, a shallow one, or a broken one: then everything comes from the remote.
    if (!(error instanceof OperationError)) throw error;
  }
}

/** It would fetch what it lacks from the remote, one object at a time. */
async function isPartial(context: GitContext, dir: string): Promise<boolean> {
  const args = ["config", "--get-regexp", "^(remote[.].*[.]promisor|extensions[.]partialclone)$"];
  return (await context.git({ args, dir, expect: [0, 1] })).exitCode === 0;
}

/** Once the hub has the target, nothing needs them. */
export async function removeSeed(context: GitContext): Promise<void> {
  const listed = await context.inHub(["for-each-ref", "--format=delete %(refname)", SEED]);
  if (listed.stdout === "") return;
  await context.inHub(["update-ref", "--stdin"], { stdin: `${listed.stdout}\n` });
}
