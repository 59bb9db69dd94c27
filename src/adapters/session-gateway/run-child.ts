// Runs one program on this process's terminal and ends as it did, for programs that stand around an
// agent. Signals reach the child by the process group that both are in; this one only waits.
import { spawn } from "node:child_process";
import process from "node:process";

const PASSED_ON = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
const NOT_FOUND = 127;

/** Never returns: after `finish` it exits with the child's code, or by its signal. */
export function runChild(
  argv: readonly string[],
  finish: () => Promise<void> = async () => undefined,
): void {
  const [program = "", ...args] = argv;
  // Caught and left alone: the child decides what a signal means, and this process follows it.
  for (const signal of PASSED_ON) process.on(signal, () => {});
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`pawl: cannot start ${program}: ${error.message}\r\n`);
    process.exit(NOT_FOUND);
  });
  child.on("exit", (code, signal) => {
    const exit = (): void => {
      if (signal === null) process.exit(code ?? 1);
      for (const known of PASSED_ON) process.removeAllListeners(known);
      process.kill(process.pid, signal);
    };
    // However that went, this process ends with its child.
    finish().then(exit, exit);
  });
}
