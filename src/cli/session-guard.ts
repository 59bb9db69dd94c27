// Stops a command that a session may not run, before it does anything. The daemon checks the same
// list again (routes/session-guard.ts), because a program can call it without this command line.
import type { Command } from "@commander-js/extra-typings";
import { deniedCommand, sessionOf } from "../api/session-rights.ts";
import { OperationError } from "../lib/operation-error.ts";
import type { Deps } from "./deps.ts";

export function refuseInSession({ env }: Pick<Deps, "env">, command: Command): void {
  const session = sessionOf(env);
  if (session === undefined) return;
  const denied = deniedCommand(pathOf(command), command.opts());
  if (denied === undefined) return;
  throw new OperationError(
    `\`pawl ${denied}\` is not allowed inside a session (${session}): only people may run it`,
    {
      code: "auth",
      hint: "write `PHASE:escalate` with a reason, or `pawl mail send operator`, and wait for the answer in your inbox",
    },
  );
}

function pathOf(command: Command): string {
  const names: string[] = [];
  // The outermost one is the program itself.
  for (let at: Command = command; at.parent !== null; at = at.parent as Command) {
    names.unshift(at.name());
  }
  return names.join(" ");
}
