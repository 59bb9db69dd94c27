// Whether `pawl init` writes walls: the agent must find its login inside, and this machine must be able
// to build the namespaces that a session gets, here around nothing. The daemon looks at the real ones
// before every start.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { runtimeNamed } from "../adapters/runtimes.ts";
import type { RenderedAgent, RenderedIsolation } from "../config/render.ts";
import { toolsInside } from "../config/toolchains.ts";
import type { Deps } from "./deps.ts";

const TIMEOUT_MS = 10_000;
const SMALL_ROOM =
  "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp".split(
    " ",
  );

export async function isolationFor(
  deps: Pick<Deps, "env">,
  { runtime, root }: Pick<RenderedAgent, "runtime"> & { root: string },
): Promise<RenderedIsolation> {
  const { title = runtime, worksInWalls } = runtimeNamed(runtime) ?? {};
  if (worksInWalls === true) {
    const probed = await probeWalls(deps);
    const home = deps.env["HOME"];
    if (probed.mode === "none" || home === undefined) return probed;
    return { ...probed, ...toolsInside({ root, home, exists: existsSync }) };
  }
  const would = worksInWalls === false ? "would" : "might";
  const why = `${title} ${would} not find its login inside walls`;
  return { mode: "none", why, hint: worksInWalls === false ? NAME_FOLDERS : NEEDS_NOTHING };
}

const SET_WALLS = 'set `[isolation] mode = "bwrap"`';
const NEEDS_NOTHING = `if your program needs nothing from your home folder, ${SET_WALLS}`;
const NAME_FOLDERS = `name the folders of its login in \`[isolation] write\`, and ${SET_WALLS}`;

function probeWalls({ env }: Pick<Deps, "env">): Promise<RenderedIsolation> {
  const argv = [
    "--ignore-signal=INT",
    "bwrap",
    ...SMALL_ROOM,
    "env",
    "--default-signal=INT",
    "true",
  ];
  return new Promise((resolve) => {
    execFile("env", argv, { env, cwd: "/", timeout: TIMEOUT_MS }, (error, _out, errors) => {
      if (error === null) return resolve({ mode: "bwrap" });
      const [said = ""] = errors.trim().split("\n");
      const isMissing = error.code === 127;
      resolve({
        mode: "none",
        why: isMissing ? "bubblewrap is not installed" : said.slice(0, 120),
        hint: `${isMissing ? "run `apt-get install bubblewrap`" : "see docs/security.md"}, then ${SET_WALLS}`,
      });
    });
  });
}
