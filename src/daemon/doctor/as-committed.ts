// Projects with the pawl.toml that is committed now. The journal has the one that a daemon read last,
// or `pawl init`: the next agent starts with the committed one.
import { CONFIG_FILE } from "../../config/load.ts";
import { parseConfig } from "../../config/parse.ts";
import type { Project } from "../../core/project/project.ts";
import { askGit } from "../host/ask-git.ts";
import type { Paths } from "../host/paths.ts";

/** Unchanged where nothing usable is committed: the last good configuration stays in force. */
export async function asCommitted(
  project: Project,
  hubOf: Pick<Paths, "hub">["hub"],
): Promise<Project> {
  if (project.config === undefined) return project;
  const text = await committedText(project, project.config.target);
  if (text === undefined || (await isOutdated(project, hubOf(project.name)))) return project;
  const parsed = parseConfig(text, CONFIG_FILE);
  if (parsed.kind !== "valid" || parsed.config.name !== project.name) return project;
  const { stateDir } = project.config;
  return { ...project, config: { ...parsed.config, ...(stateDir !== undefined && { stateDir }) } };
}

/** The target's pawl.toml as the user's repository has it; undefined where it has none. */
export async function committedText(project: Project, target: string): Promise<string | undefined> {
  const args = ["cat-file", "blob", `${refOf(project, target)}:${CONFIG_FILE}`];
  return (await askGit(project.root, args)) || undefined;
}

/** The target as the user's repository has it. */
export const refOf = ({ upstream }: Pick<Project, "upstream">, target: string): string =>
  upstream.kind === "remote" ? `refs/remotes/origin/${target}` : `refs/heads/${target}`;

/** Of a remote, Pawl's own copy may be newer than what the user fetched last. */
async function isOutdated(project: Project, hub: string): Promise<boolean> {
  const { upstream, config, root } = project;
  if (upstream.kind !== "remote" || config === undefined) return false;
  const own = await askGit(hub, [
    "rev-parse",
    "--verify",
    "--quiet",
    `refs/pawl/target/${config.target}`,
  ]);
  if (own === undefined) return false;
  const args = ["merge-base", "--is-ancestor", own, refOf(project, config.target)];
  return (await askGit(root, args)) === undefined;
}
