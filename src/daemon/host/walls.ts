// Which rooms programs of a project run in: what Pawl's own places are inside, and what is not there.
// How walls are built is the port's affair.
import { join } from "node:path";
import type { IsolationConfig, ProjectConfig } from "../../core/config.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { Frame, Room, Walls } from "../../ports/walls.ts";
import type { Paths } from "./paths.ts";

type Of = { project: ProjectName; root: string; paths: Paths };

/** Undefined where the project wants no walls. */
export function frameOf(
  config: Pick<ProjectConfig, "isolation"> | undefined,
  { project, root, paths }: Of,
): Frame | undefined {
  const isolation = config?.isolation;
  if (isolation === undefined || isolation.mode === "none") return undefined;
  const home = process.env["HOME"] ?? "/";
  const secrets = [".ssh", ".gnupg", ".aws", ".netrc", ".git-credentials", ".docker"];
  const named = [...isolation.read, ...isolation.write].map((path) =>
    path.startsWith("~/") ? join(home, path.slice(2)) : path,
  );
  const isNamed = (path: string): boolean =>
    named.some((one) => path === one || path.startsWith(`${one}/`));
  const hidden = [
    paths.journal,
    paths.lock,
    join(paths.home, ".env"),
    paths.socket,
    paths.tmux,
    join(root, ".git"),
    ...secrets.map((name) => join(home, name)),
  ];
  return {
    isolation,
    // Objects of the clones are the hub's, and so is what they fetch from.
    read: [paths.hub(project)],
    hidden: hidden.filter((path) => !isNamed(path)),
    masked: [paths.home, paths.runtime, root].filter((path) => !isNamed(path)),
  };
}

/** Nothing of the machine but the folders that a git is given: no network, and none of the user's folders. */
const BARE: IsolationConfig = {
  mode: "bwrap",
  network: "none",
  hosts: [],
  read: [],
  write: [],
  devices: [],
  tmpMb: 64,
};

/** For Pawl's own git in workspaces of agents; undefined where the project wants no walls. */
export function gitApart(
  { isolation }: Pick<ProjectConfig, "isolation">,
  { workspaces, walls }: { workspaces: string; walls: Walls },
) {
  if (isolation === undefined || isolation.mode === "none") return undefined;
  const frame: Frame = { isolation: BARE, read: [], hidden: [], masked: [] };
  const around = (
    argv: readonly string[],
    room: Pick<Room, "cwd" | "env" | "write">,
  ): ReturnType<Walls["around"]> => walls.around({ ...frame, ...room }, argv);
  return { workspaces, around };
}
