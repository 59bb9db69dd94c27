// Files that an agent's command names and that the walls around it hide: the home and /tmp inside are
// private and empty. The agent would crash at every start, and only its terminal would say why.
import { delimiter, isAbsolute } from "node:path";
import type { ProjectConfig } from "../core/config.ts";

type Machine = { home: string; path: string };

/** Absolute paths in `[agent] command` that do not exist inside. */
export function hiddenInside(
  { agent, isolation }: Pick<ProjectConfig, "agent" | "isolation">,
  { home, path }: Machine,
): string[] {
  if (isolation === undefined || isolation.mode === "none") return [];
  const named = [...isolation.read, ...isolation.write].map((one) =>
    one.replace(/^~(?=\/|$)/, home),
  );
  const seen = [...named, ...path.split(delimiter)].filter((one) => one !== "");
  const isHidden = (word: string): boolean =>
    isAbsolute(word) &&
    [home, "/tmp"].some((folder) => isBelow(word, folder)) &&
    !seen.some((folder) => isBelow(word, folder));
  return agent.command.filter(isHidden);
}

export const hiddenText = (paths: string[]): string =>
  `[agent] command names ${paths.join(", ")}, which agents do not see inside the walls: name it in [isolation] read, or commit it and write its path in the repository`;

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder.replace(/\/$/, "")}/`);
