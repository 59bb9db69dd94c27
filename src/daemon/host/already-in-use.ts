// What a command says that needs the factory while another program holds it.
import { OperationError } from "../../lib/operation-error.ts";
import type { LockHolder } from "../../store/lock.ts";

export const alreadyInUse = (home: string, holder: LockHolder | undefined): OperationError =>
  new OperationError(`the factory ${home} is in use by ${whoHolds(holder)}`, {
    code: "daemon-running",
    hint: whatToDo(holder),
    retryable: true,
  });

function whoHolds(holder: LockHolder | undefined): string {
  if (holder === undefined) return "another Pawl";
  const { pid, host, version, startedAt, command = "" } = holder;
  const typed = command === "" ? "" : `\`pawl ${command}\`, `;
  return `pid ${pid} on ${host} (${typed}version ${version}, since ${new Date(startedAt).toISOString()})`;
}

/** Commands that keep the factory until they are ended. */
const DAEMONS = ["daemon", "run", "up"];

function whatToDo({ pid, command = "" }: Partial<LockHolder> = {}): string {
  const word = command.split(" ")[0] ?? "";
  if (command !== "" && !DAEMONS.includes(word)) {
    return `wait until that command has ended, or end it with Ctrl-C in its terminal or \`kill ${pid}\``;
  }
  return "try again; if it is a daemon that does not answer, `pawl down` ends it";
}
