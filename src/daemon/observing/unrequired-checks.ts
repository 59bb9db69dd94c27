// Whether a project says which results of its CI server must be green, in pawl.toml or in the
// protection of its target. A forge that cannot be asked refuses nothing here: its verdict is then
// asked for all the same when something is to pass, and fails closed.
import type { ProjectConfig } from "../../core/config.ts";
import type { Commit } from "../../core/ids.ts";
import { asksProtection, missingRequirement } from "../../core/required-checks.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge } from "../../ports/forge.ts";

type Asked = Pick<Forge, "requiredContexts" | "statuses">;

/** What is wrong, with the line to write. `tip`: of the target, where it is known. */
export async function unrequiredChecks(
  { ci: { server }, target }: ProjectConfig,
  forge: () => Promise<Asked>,
  tip: Commit | undefined,
): Promise<string | undefined> {
  if (server === undefined || !asksProtection(server)) return undefined;
  try {
    const asked = await forge();
    const protection = (await asked.requiredContexts?.(target)) ?? [];
    const isNeeded = protection.length === 0 && tip !== undefined;
    const seen = isNeeded ? (await asked.statuses(tip)).map(({ context }) => context) : [];
    return missingRequirement(server, { target, protection, seen });
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}
