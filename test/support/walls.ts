// Whether walls can be built here, and the section of pawl.toml that asks for them.
import { spawnSync } from "node:child_process";

const tried = spawnSync(
  "bwrap",
  ["--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
  { encoding: "utf8" },
);

/** True where bubblewrap is missing or the kernel refuses: every test then says so and is skipped. */
export const noWalls = tried.status !== 0;
if (noWalls) {
  console.log(
    `SKIPPED: walls cannot be built here (${tried.error?.message ?? tried.stderr.trim()})`,
  );
}

export const WALLS = '\n[isolation]\nmode = "bwrap"\n';

/** The pawl.toml of a test with walls, and a folder that its agents share with the test. */
export const walled = (config: string, shared: string): string =>
  config.replace('[isolation]\nmode = "none"\n', `${WALLS}write = ["${shared}"]\n`);
