// The line that puts a folder on the PATH, and the file of the user's shell that it belongs in.
import { homedir } from "node:os";
import type { Deps } from "./deps.ts";

export function pathLine(
  { env }: Pick<Deps, "env">,
  folder: string,
): { file: string; line: string } {
  const home = env["HOME"] ?? homedir();
  const shown = folder.startsWith(`${home}/`) ? `$HOME${folder.slice(home.length)}` : folder;
  const isZsh = (env["SHELL"] ?? "").endsWith("zsh");
  return { file: isZsh ? "~/.zshrc" : "~/.bashrc", line: `export PATH="${shown}:$PATH"` };
}
