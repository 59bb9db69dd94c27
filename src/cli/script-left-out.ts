// A script of the repository that the agent's command runs and that the target does not have: an agent
// would crash at each start. The doctor says the same; this asks git alone, without a daemon.
import { join } from "node:path";
import type { DetectPorts } from "../config/detect.ts";
import { scriptOf } from "../config/script-of.ts";

type Asked = { root: string; target: string; command: readonly string[] };

/** `isCommitted`: your own branch has it, and it is to be pushed. */
export type LeftOut = { script: string; isInCheckout: boolean; isCommitted: boolean };

/** Undefined where the target has it, or is not there. */
export async function scriptLeftOut(
  ports: Pick<DetectPorts, "git" | "exists">,
  { root, target, command }: Asked,
): Promise<LeftOut | undefined> {
  const script = scriptOf(command);
  if (script === undefined) return undefined;
  const own = `refs/heads/${target}`;
  const has = async (ref: string): Promise<boolean> =>
    (await ports.git(["cat-file", "-t", `${ref}:${script}`])).exitCode === 0;
  // With a remote, agents start from what it has.
  for (const ref of [`refs/remotes/origin/${target}`, own]) {
    const tip = await ports.git(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
    if (tip.exitCode !== 0) continue;
    if (await has(ref)) return undefined;
    const isInCheckout = await ports.exists(join(root, script));
    return { script, isInCheckout, isCommitted: ref !== own && (await has(own)) };
  }
  return undefined;
}
