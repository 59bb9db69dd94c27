// Hands the user's terminal to a program until it ends. Only for programs that a person works in.
import { spawn } from "node:child_process";
import process from "node:process";
import { OperationError } from "../lib/operation-error.ts";

export function runInTerminal(argv: string[]): Promise<number> {
  const [program = "", ...args] = argv;
  // tmux refuses to attach inside itself, even to another server, as long as it is told.
  const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env });
    // Ctrl-C belongs to the program that has the terminal.
    const ignore = (): void => undefined;
    process.on("SIGINT", ignore);
    child.on("error", (cause) => {
      process.off("SIGINT", ignore);
      const message = `cannot start ${program}: ${cause.message}`;
      reject(new OperationError(message, { code: "command-missing", cause }));
    });
    child.on("exit", (code) => {
      process.off("SIGINT", ignore);
      resolve(code ?? 1);
    });
  });
}
