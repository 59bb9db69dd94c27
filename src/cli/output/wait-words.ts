// What waits, and what the merge queue says of an entry, for the person who reads it: the reasons of
// the core are short, name an operator, and number entries without their letter.
import type { EntryView } from "../../api/queue.ts";
import { entryName } from "../../api/queue-names.ts";
import type { WaitView } from "../../api/runs.ts";

const FAILED = /^red on top of a green target \((?<gate>.*)\)$/;
const LOOKING = /^Pawl is looking for conflicts/;

export const plainReason = (reason: string, { isAtWork = true } = {}): string => {
  const gate = FAILED.exec(reason)?.groups?.["gate"];
  if (gate !== undefined) return `${gate} passes on the target and fails with this branch on it`;
  if (!isAtWork && LOOKING.test(reason)) return "no daemon works on the queue";
  return reason
    .replace("an operator must approve it", "you must approve it")
    .replaceAll(/\bentry (\d+)\b/g, (_, id: string) => entryName(Number(id)));
};

/** Of what waits for a person: what an agent asks, or a person wrote, stays as it is. */
export const waitReason = ({ why, command }: Pick<WaitView, "why" | "command">): string =>
  command?.startsWith("pawl merge-queue ") === true ? plainReason(why) : why;

/** What shows why an entry went back, or lets it go on; undefined where nothing does. */
export function nextCommand({ id, branch, reason, status }: EntryView): string | undefined {
  if (status === "returned") {
    return FAILED.test(reason ?? "") ? `pawl ci logs ${branch}` : undefined;
  }
  const isHeld = reason?.includes("an operator must approve it") === true;
  return isHeld ? `pawl merge-queue approve ${entryName(id)}` : undefined;
}

/**
 * The commands that help with what waits for a person: first the one that shows or changes the cause,
 * then the one that settles it.
 */
export function waitCommands({ why, command }: WaitView): string[] {
  if (command === null) return [];
  const ref = /^pawl (?:escalation answer|retry) (?<ref>\S+)/.exec(command)?.groups?.["ref"];
  return [...(ref === undefined ? [] : before(why, ref)), command];
}

/** Why an agent crashed or its block failed is in its terminal; the same text fails again. */
function before(why: string, ref: string): string[] {
  if (why.startsWith("crashed ")) return [`pawl logs ${ref}`];
  if (!why.startsWith("blocked: ")) return [];
  if (why.includes("has no fenced block")) return [`pawl issue edit ${ref} --body-file FILE`];
  if (why.includes("has no block `sh on-ci-failure`")) return [`pawl ci failures ${ref}`];
  return why.includes("the sh block of the issue failed") ? [`pawl logs ${ref}`] : [];
}
