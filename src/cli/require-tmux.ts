// Agents live in tmux. Where it is missing it is installed, or the line that installs it is shown.
import { spawnSync } from "node:child_process";
import { userInfo } from "node:os";
import { OperationError } from "../lib/operation-error.ts";
import type { Deps } from "./deps.ts";

const INSTALL_TIMEOUT_MS = 300_000;

export async function requireTmux(deps: Pick<Deps, "stderr" | "env">): Promise<void> {
  if (works("tmux", ["-V"])) return;
  if (userInfo().uid === 0 && works("apt-get", ["--version"])) {
    deps.stderr("pawl: tmux is missing; installing it with apt-get\n");
    install(["update", "-qq"], deps);
    install(["install", "-y", "-qq", "tmux"], deps);
    if (works("tmux", ["-V"])) return;
  }
  throw new OperationError("tmux is not installed, and agents run in it", {
    code: "no-tmux",
    hint: "install it: `sudo apt-get install tmux`, `sudo dnf install tmux` or `brew install tmux`",
  });
}

const works = (program: string, args: string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

function install(args: string[], { env }: Pick<Deps, "env">): void {
  spawnSync("apt-get", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: INSTALL_TIMEOUT_MS,
  });
}
