// Which file of the repository an agent's command runs: workspaces are made from the target, so that
// the file must be there.
import { isAbsolute, normalize } from "node:path";

/** Programs whose first argument is a file to run, unless it is an option. */
const INTERPRETERS = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "python",
  "python3",
  "node",
  "ruby",
  "perl",
]);

/** The file in the repository that `command` runs; undefined where it runs none. */
export function scriptOf([program = "", first = ""]: readonly string[]): string | undefined {
  const file = INTERPRETERS.has(program) && !first.startsWith("-") ? first : program;
  if (isAbsolute(file) || file.startsWith("~")) return undefined;
  // A program without a folder is looked up on the PATH.
  return file !== "" && (file === first || file.includes("/")) ? normalize(file) : undefined;
}
