// The commands that help with what waits for a person: first the one that shows or changes the cause,
// then the one that settles it.
import type { WaitView } from "../../api/runs.ts";

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
