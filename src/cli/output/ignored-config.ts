// Says where the pawl.toml that a person sees is not the one that Pawl works with: the rules come
// from the target, so that an edit counts once it is there, and only if it has no mistakes.
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

/** Empty where the file in the checkout is in force. */
export async function ignoredConfig(deps: Deps, project: Named): Promise<string[]> {
  const texts = await textsOf(deps, project);
  if (texts === undefined) return [];
  const differs = configHash(texts.here) !== configHash(texts.inForce);
  return [
    ...(differs ? [await differsLine(project, texts)] : []),
    ...(await mistakes(project, texts)),
  ];
}

/** A file with mistakes must not be committed: that would break the rules of everyone. */
async function differsLine(project: Named, { here, inForce }: Texts): Promise<string> {
  const { root, target, is_pushed: isPushed } = project;
  const { parseConfig } = await import("../../config/parse.ts");
  const isValid = (text: string): boolean => parseConfig(text, "pawl.toml").kind === "valid";
  const yours = `pawl.toml: yours in ${root}`;
  if (isValid(here)) {
    const how = isPushed === true ? "commit and push it" : "commit it";
    return `${yours} differs from the one on ${target}, which is in force; ${how} there`;
  }
  return isValid(inForce)
    ? `${yours} has mistakes; ${target} has a valid one, which is in force; fix yours before you commit it`
    : `${yours} has mistakes, as the one on ${target} has; fix yours before you commit it`;
}

type Texts = { here: string; inForce: string };

/** Undefined where nothing is to be said of them. */
async function textsOf(deps: Deps, project: Named): Promise<Texts | undefined> {
  const { root, target, is_pushed: isPushed } = project;
  if (target === null) return undefined;
  const ref = isPushed === true ? `refs/remotes/origin/${target}` : `refs/heads/${target}`;
  try {
    const here = await ifThere(readFile(join(root, "pawl.toml"), "utf8"));
    if (here === undefined) return undefined;
    // Git is started only for a text that Pawl does not know: every status would wait for it.
    if (configHash(here) === project.config_hash && project.config_problem === null)
      return undefined;
    const { detectPorts } = await import("../detect-ports.ts");
    const ports = detectPorts({ cwd: root, env: deps.env });
    const inForce = await ports.git(["cat-file", "blob", `${ref}:pawl.toml`]);
    // A target without the file takes the rules from the checkout.
    return inForce.exitCode === 0 ? { here, inForce: inForce.stdout } : undefined;
  } catch (error) {
    // The folder is gone, or git is: others say so.
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/** A daemon that has seen it has said so; where none runs, nothing else does. */
async function mistakes(project: Named, { inForce }: Texts): Promise<string[]> {
  if (project.config_problem !== null || configHash(inForce) === project.config_hash) return [];
  const { parseConfig } = await import("../../config/parse.ts");
  const parsed = parseConfig(inForce, "pawl.toml");
  if (parsed.kind === "valid") return [];
  const { formatProblems } = await import("../../config/problem.ts");
  const problems = formatProblems(parsed.problems).split("\n").slice(0, 3).join("; ");
  return [
    `pawl.toml on ${project.target} cannot be used, so the last good one stays in force: ${problems}`,
  ];
}

/** For all projects that a command is about, one line each. */
export async function sayIgnoredConfig(deps: Deps, projects: readonly Named[]): Promise<void> {
  for (const project of projects) {
    for (const line of await ignoredConfig(deps, project)) deps.stderr(`${line}\n`);
  }
}

/**
 * For commands that name mistakes themselves; with a folder, only for the project whose root it is. A
 * journal that cannot be read is told by others.
 */
export async function sayNotInForce(deps: Deps, folder?: string): Promise<void> {
  try {
    const { projects } = await deps.client.get<StatusView>("/v1/status");
    const meant = projects.filter(({ root }) => folder === undefined || root === folder);
    const isToldElsewhere = { config_problem: "" };
    await sayIgnoredConfig(
      deps,
      meant.map((project) => ({ ...project, ...isToldElsewhere })),
    );
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}
