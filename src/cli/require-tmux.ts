// Agents live in tmux. Where it is missing, the line that installs it is shown: Pawl installs nothing
// by itself, also where it could as root.
import { spawnSync } from "node:child_process";
import { userInfo } from "node:os";
import { OperationError } from "../lib/operation-error.ts";

export async function requireTmux(): Promise<void> {
  if (spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0) return;
  const sudo = userInfo().uid === 0 ? "" : "sudo ";
  throw new OperationError("tmux is not installed, and agents run in it", {
    code: "no-tmux",
    hint: `install it: \`${sudo}apt-get install tmux\`, \`${sudo}dnf install tmux\` or \`brew install tmux\``,
  });
}
