// A script of the repository that an agent's command runs and that the target does not have: every
// workspace is made from the target, so that the agent would crash at each start.
import { scriptOf } from "../../config/script-of.ts";
import type { Project } from "../../core/project/project.ts";
import { askGit } from "../host/ask-git.ts";
import type { Paths } from "../host/paths.ts";
import { refOf } from "./as-committed.ts";

/** Undefined where the target has it, or cannot be asked. */
export async function missingScript(
  { config, root, upstream, name }: Project,
  hubOf: Pick<Paths, "hub">["hub"],
): Promise<string | undefined> {
  const script = config === undefined ? undefined : scriptOf(config.agent.command);
  if (config === undefined || script === undefined) return undefined;
  const { target } = config;
  // Of a remote, Pawl's own copy may be newer than what the user fetched last.
  const places = [
    { folder: root, ref: refOf({ upstream }, target) },
    { folder: hubOf(name), ref: `refs/pawl/target/${target}` },
  ];
  const [own, hub] = await Promise.all(places.map((place) => look(place, script)));
  return own === "missing" && hub !== "there" ? script : undefined;
}

async function look(
  { folder, ref }: { folder: string; ref: string },
  path: string,
): Promise<"there" | "missing" | "unknown"> {
  const tip = await askGit(folder, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  if (tip === undefined) return "unknown";
  const found = await askGit(folder, ["cat-file", "-t", `${tip}:${path}`]);
  return found === undefined ? "missing" : "there";
}
