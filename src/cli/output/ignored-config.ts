// Says where the pawl.toml that a person sees is not the one that Pawl works with: the rules come
// from the target, so that an edit counts once it is there.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StatusView } from "../../api/runs.ts";
import { configHash } from "../../config/config-hash.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Deps } from "../deps.ts";

type Named = Pick<
  StatusView["projects"][number],
  "root" | "target" | "is_pushed" | "config_hash" | "config_problem"
>;

export async function ignoredConfig(deps: Deps, project: Named): Promise<string[]> {
  const { root, target, is_pushed: isPushed } = project;
  if (target === null) return [];
  const ref = isPushed === true ? `refs/remotes/origin/${target}` : `refs/heads/${target}`;
  try {
    const here = await ifThere(readFile(join(root, "pawl.toml"), "utf8"));
    if (here === undefined) return [];
    // Git is started only for a text that Pawl does not know: every status would wait for it.
    const hash = configHash(here);
    if (hash === project.config_hash && project.config_problem === null) return [];
    const { detectPorts } = await import("../detect-ports.ts");
    const ports = detectPorts({ cwd: root, env: deps.env });
    const inForce = await ports.git(["cat-file", "blob", `${ref}:pawl.toml`]);
    // A target without the file takes the rules from the checkout.
    if (inForce.exitCode !== 0) return [];
    if (hash === configHash(inForce.stdout)) return [];
  } catch (error) {
    // The folder is gone, or git is: others say so.
    if (error instanceof OperationError) return [];
    throw error;
  }
  const how = isPushed === true ? "commit and push it" : "commit it";
  return [
    `pawl.toml: yours in ${root} differs from the one on ${target}, which is in force; ${how} there`,
  ];
}

/** For all projects that a command is about, one line each. */
export async function sayIgnoredConfig(deps: Deps, projects: readonly Named[]): Promise<void> {
  for (const project of projects) {
    for (const line of await ignoredConfig(deps, project)) deps.stderr(`${line}\n`);
  }
}
