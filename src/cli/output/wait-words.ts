// What waits for a person, and the commands that help with it.
import type { EntryView } from "../../api/queue.ts";
import { entryName, FAILED_ALONE, plainReason } from "../../api/queue-names.ts";
import type { WaitView } from "../../api/runs.ts";
import { plainSpans, withRelativeTimes } from "../../api/spans.ts";

type Wait = Pick<WaitView, "why" | "command">;

const isOfQueue = ({ command }: Wait): boolean => command?.startsWith("pawl merge-queue ") === true;

/** Of what waits for a person: what an agent asks, or a person wrote, stays as it is. */
export function waitReason(wait: Wait, now: number): string {
  if (isOfQueue(wait)) return plainReason(wait.why);
  return isOfBudget(wait) ? withRelativeTimes(wait.why, now) : plainSpans(wait.why);
}

/** Of a day that is spent, the words are Pawl's own. */
const isOfBudget = ({ command }: Wait): boolean =>
  command?.startsWith("pawl escalation answer budget ") === true;

/** The same for programs that read lines: times stay as they are. */
export const pipedReason = (wait: Wait): string =>
  isOfQueue(wait) ? plainReason(wait.why) : wait.why;

/** What shows why an entry went back, or lets it go on; undefined where nothing does. */
export function nextCommand({ id, branch, reason, status }: EntryView): string | undefined {
  if (status === "returned") {
    return FAILED_ALONE.test(reason ?? "") ? `pawl ci logs ${branch}` : undefined;
  }
  const isHeld = reason?.includes("an operator must approve it") === true;
  return isHeld ? `pawl merge-queue approve ${entryName(id)}` : undefined;
}

/** What an agent's branch changes, to look at before it is approved; none for a person's branch. */
export function diffOf(branch: string): string[] {
  const issue = /^pawl\/(?<issue>\d+)(?:-|$)/.exec(branch)?.groups?.["issue"];
  return issue === undefined ? [] : [`pawl diff ${issue}`];
}

/**
 * The commands that help with what waits for a person: first the one that shows or changes the cause,
 * then the one that settles it.
 */
export function waitCommands({ about, why, command }: WaitView): string[] {
  if (command === null) return [];
  if (command.startsWith("pawl merge-queue approve ")) return [...diffOf(about), command];
  const ref = /^pawl (?:escalation answer|retry) (?<ref>\S+)/.exec(command)?.groups?.["ref"];
  return [...(ref === undefined ? [] : before(why, ref)), command];
}

/**
 * Why an agent crashed or its block failed is in its terminal; the doctor knows whether it is installed
 * and signed in; the same text fails again.
 */
function before(why: string, ref: string): string[] {
  if (/^the .* \(exit code 12[67]\)/.test(why)) return ["pawl doctor"];
  if (why.startsWith("crashed ")) return [`pawl logs ${ref}`, "pawl doctor"];
  if (!why.startsWith("blocked: ")) return [];
  if (why.includes("has no fenced block")) return [`pawl issue edit ${ref} --body-file FILE`];
  if (why.includes("has no block `sh on-ci-failure`")) return [`pawl ci failures ${ref}`];
  // Of an older journal: "ci_exhausted: test still fails after 3 fixes".
  if (/still fails after \d+ fix/.test(why)) return [`pawl ci failures ${ref}`];
  return why.includes("the sh block of the issue failed") ? [`pawl logs ${ref}`] : [];
}
