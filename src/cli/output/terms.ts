// What working on a project means, said before anything is started.
import type { StatusView } from "../../api/runs.ts";
import { detectPorts } from "../detect-ports.ts";
import type { Deps } from "../deps.ts";
import { ignoredConfig } from "./ignored-config.ts";
import { harmless, paint } from "./text.ts";

type Named = StatusView["projects"][number];

/** One line each, indented. */
export async function sayTerms(deps: Deps, project: Named): Promise<void> {
  const ahead = await unpushed(deps, project);
  const ignored = await ignoredConfig(deps, project);
  for (const line of [...(project.terms ?? []), ...ahead, ...ignored]) {
    deps.stderr(`  ${paint(deps, "dim", harmless(line))}\n`);
  }
}

/** Agents start from what upstream has: commits that only the user has are not in their work. */
async function unpushed(
  deps: Deps,
  { root, target, is_pushed: isPushed }: Named,
): Promise<string[]> {
  if (target === null || isPushed !== true) return [];
  const ports = detectPorts({ cwd: root, env: deps.env });
  const range = `refs/remotes/origin/${target}..refs/heads/${target}`;
  const { exitCode, stdout } = await ports.git(["rev-list", "--count", range]);
  const count = Number(stdout.trim());
  if (exitCode !== 0 || !(count > 0)) return [];
  const commits = count === 1 ? "1 commit" : `${count} commits`;
  return [
    `unpushed: your ${target} has ${commits} that origin does not have; agents start without ${count === 1 ? "it" : "them"} (git push origin ${target})`,
  ];
}
