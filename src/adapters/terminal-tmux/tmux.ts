// Asks Pawl's own tmux server: one client per question, one question may be several commands that
// the server carries out without a break. Nothing is inherited: not the user's configuration, not
// the daemon's environment, not its folder.
import { OperationError } from "../../lib/operation-error.ts";
import { run } from "../shared/run.ts";

export type Tmux = { program: string; socket: string };

export type Answer =
  | { kind: "ok"; stdout: string }
  /** There is no server: certain, not guessed. */
  | { kind: "no-server"; said: string }
  /** The server went away while it was asked. */
  | { kind: "lost"; said: string }
  /** `partial`: what the commands before the refused one answered. */
  | { kind: "refused"; said: string; partial?: string };

export type Question = { commands: string[][]; stdin?: string };

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;

export async function ask(tmux: Tmux, question: Question): Promise<Answer> {
  const { exitCode, stdout, stderr } = await run({
    // -u, because tmux replaces tabs and everything beyond ASCII for clients it takes for old.
    argv: [tmux.program, "-u", "-S", tmux.socket, "-f", "/dev/null", ...words(question.commands)],
    cwd: "/",
    // The first client becomes the server, and the server's environment is every pane's.
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", SHELL: "/bin/sh", LANG: "C.UTF-8" },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    expect: [0, 1],
    what: "ask tmux",
    ...(question.stdin === undefined ? {} : { stdin: question.stdin }),
  });
  if (exitCode === 0) return { kind: "ok", stdout };
  const kind = classify(stderr);
  return kind === "refused" ? { kind, said: stderr, partial: stdout } : { kind, said: stderr };
}

/** Commands are divided by `;`, and tmux takes any word that ends in one for a divider. */
export function words(commands: string[][]): string[] {
  return commands
    .map((command) => command.map((word) => word.replace(/;$/, "\\;")))
    .flatMap((command, index) => (index === 0 ? command : [";", ...command]));
}

function classify(said: string): "no-server" | "lost" | "refused" {
  if (/^no server running on/m.test(said)) return "no-server";
  if (/^error connecting to .*\((No such file or directory|Connection refused)\)/m.test(said)) {
    return "no-server";
  }
  if (/^(server exited unexpectedly|lost server|server exited)/m.test(said)) return "lost";
  return "refused";
}

export function failed(what: string, answer: Exclude<Answer, { kind: "ok" }>): OperationError {
  return new OperationError(`cannot ${what}: tmux said "${answer.said}"`, {
    code: `tmux-${answer.kind}`,
    retryable: answer.kind !== "refused",
  });
}
