// The file that turns into the agent: sourced by the wrapper's last shell, which it replaces.
// Words are single-quoted, where sh takes every byte as it is; nothing else may be written here.
import type { SpawnRequest } from "../../ports/terminal.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { shellWord } from "../../lib/shell-word.ts";

/** What the panes understand; a request may say otherwise. */
export const TERM = "tmux-256color";

export function renderLaunch(request: Pick<SpawnRequest, "argv" | "cwd" | "env">): string {
  const [program] = request.argv;
  if (program === undefined || program === "") throw unusable("the command is empty");
  const assignments = Object.entries({ TERM, ...request.env }).map(assignment);
  const words = [...assignments, ...asCommand(program), ...request.argv];
  const nul = [request.cwd, ...words].find((word) => word.includes("\0"));
  if (nul !== undefined) throw unusable("a word contains a NUL byte");
  return [
    `cd -- ${shellWord(request.cwd)} || exit 126`,
    `exec env -i ${words.map(shellWord).join(" ")}`,
    "",
  ].join("\n");
}

function assignment([name, value]: [string, string]): string {
  if (name === "" || name.includes("=")) {
    throw unusable(`"${name}" cannot be the name of a variable`);
  }
  return `${name}=${value}`;
}

/** env takes every word with `=` for a variable, so such a program is started by one more shell. */
const asCommand = (program: string): string[] =>
  program.includes("=") ? ["sh", "-c", 'exec "$@"', "sh"] : [];

const unusable = (why: string): OperationError =>
  new OperationError(`cannot start the agent: ${why}`, { code: "launch-unusable" });
