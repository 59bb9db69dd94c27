// `pawl merge-queue list|status|explain`: looking changes nothing and needs no daemon.
import type { EntryView, ExplainView, QueueView } from "../../../api/queue.ts";
import { entryName, NOBODY_LOOKS, plainReason, statusWord } from "../../../api/queue-names.ts";
import { queueWord } from "../../../api/queue-words.ts";
import type { Deps } from "../../deps.ts";
import { diffOf, nextCommand } from "../../output/wait-words.ts";
import { printJson, printRows, type Column } from "../../output/rows.ts";
import { count, harmless, paint, when } from "../../output/text.ts";
import { inSentences, wrapLine } from "../../output/wrap.ts";

type Json = { json?: true | undefined };

export const queueOf = (deps: Deps): Promise<QueueView> => deps.client.get("/v1/queue");

export async function listEntries(deps: Deps, options: Json & { all: boolean }): Promise<void> {
  const queue = await queueOf(deps);
  const isListed = ({ status }: EntryView): boolean => options.all || status === "returned";
  const entries = [...queue.entries, ...queue.past.filter(isListed).toReversed()];
  const empty = "the merge queue is empty";
  const isAtWork = !deps.isTty || entries.length === 0 || (await deps.client.daemonRuns());
  const whole = { reason: "`pawl merge-queue explain ID` shows the whole reason" };
  printRows(deps, entries, { columns: columns(deps, isAtWork), json: options.json, empty, whole });
  const paused = pausedText(queue);
  if (paused === undefined || options.json === true) return;
  deps.stderr(`the merge queue is ${paused}\n${RESUME}\n`);
}

const columns = (deps: Deps, isAtWork: boolean): Column<EntryView>[] => [
  { title: "id", tty: ({ id }) => entryName(id) },
  { title: "branch", tty: ({ branch }) => branch, widthMin: 15 },
  {
    title: "status",
    tty: ({ status }) => statusText(deps, status),
    pipe: ({ status }) => statusWord(status),
  },
  {
    title: "reason",
    tty: ({ reason }) => harmless(plainReason(reason ?? "", { isAtWork })),
    pipe: ({ reason }) => plainReason(reason ?? ""),
    // The columns after it go before it is cut to less.
    widthMin: 26,
  },
  { title: "identity", tty: (entry) => entry.identity_name ?? "", drop: 3 },
  {
    title: "issue",
    tty: (entry) => (entry.bead_id === null ? "" : `#${entry.bead_id}`),
    pipe: (entry) => entry.bead_id ?? "",
    drop: 1,
  },
  {
    title: "pr",
    tty: (entry) => (entry.pr_number === null ? "" : `#${entry.pr_number}`),
    pipe: (entry) => String(entry.pr_number ?? ""),
    drop: 2,
  },
  { title: "requested", tty: (entry) => when(deps, entry.requested_at) },
];

const RED = ["held", "returned"];

function statusText(deps: Deps, status: string): string {
  if (RED.includes(status)) return paint(deps, "red", queueWord(status));
  return status === "merged" ? paint(deps, "green", queueWord(status)) : queueWord(status);
}

export async function showQueue(terminal: Deps, options: Json): Promise<void> {
  const deps = inSentences(terminal);
  const queue = await queueOf(deps);
  if (options.json === true) {
    printJson(terminal, queue);
    return;
  }
  sayStanding(deps, queue);
  const byStatus = Object.groupBy(queue.entries, ({ status }) => status);
  const parts = Object.entries(byStatus).map(
    ([status, some]) => `${some?.length ?? 0} ${queueWord(status)}`,
  );
  const waiting = parts.length === 0 ? "empty" : parts.join(", ");
  deps.stdout(`merge queue of ${queue.project}: ${waiting}\n`);
  for (const entry of queue.entries) await sayHeld(deps, queue, entry);
  const isToDo = queue.paused === null && queue.entries.some(({ status }) => status === "queued");
  if (isToDo && !(await deps.client.daemonRuns())) {
    deps.stdout(`${NOBODY_LOOKS}\n`);
  }
  const landed = queue.past.filter(({ status }) => status === "merged");
  const last = landed.at(-1);
  if (last !== undefined) {
    const ago = when(deps, last.left_at);
    const branches = count(landed.length, "branch", "branches");
    deps.stdout(`${branches} landed, the last ${ago} (${last.branch})\n`);
  }
  const back = queue.past.filter(({ status }) => status === "returned");
  for (const entry of back) {
    deps.stdout(`sent back: ${entry.branch}: ${harmless(plainReason(entry.reason ?? ""))}\n`);
    const command = nextCommand(entry);
    if (command !== undefined) deps.stdout(`  \`${command}\` shows its output\n`);
    if (entry.next_step !== null) deps.stdout(`  ${harmless(entry.next_step)}\n`);
  }
}

/** Of an entry that waits for a person: why, and the command that lets it go on, if there is one. */
async function sayHeld(deps: Deps, { paused }: QueueView, entry: EntryView): Promise<void> {
  const { id, branch, status, reason } = entry;
  const command = nextCommand(entry);
  if (status !== "held" && command === undefined) return;
  const why = reason === null ? "" : `: ${harmless(plainReason(reason))}`;
  deps.stdout(`${queueWord(status)}: ${entryName(id)}  ${branch}${why}\n`);
  if (command !== undefined) {
    for (const diff of diffOf(branch)) deps.stdout(`  \`${diff}\` shows what it changes\n`);
    deps.stdout(`  \`${command}\` lets it land\n`);
  } else if (paused === null) {
    const next = (await deps.client.daemonRuns()) ? "resume" : "process --until-idle";
    deps.stdout(`  \`pawl merge-queue ${next}\` tries it again\n`);
  }
}

export const RESUME = "`pawl merge-queue resume` resumes it";

/** Paused by a person, or stopped by itself: by whom and why. */
export function pausedText(
  { paused, state }: QueueView,
  painted = (word: string): string => word,
): string | undefined {
  if (paused === null) return undefined;
  const word = painted(state === "stopped" ? "stopped" : "paused");
  return `${word} by ${harmless(paused.by)}: ${harmless(paused.why)}`;
}

/** What delays all entries, if something does. */
export function sayStanding(deps: Deps, queue: QueueView): void {
  const paused = pausedText(queue, (word) => paint(deps, "red", word));
  if (paused !== undefined) {
    deps.stdout(`${paused}\n`);
    deps.stderr(`${RESUME}\n`);
  } else if (queue.retry_at !== null) {
    const why = harmless(queue.why ?? "the CI infrastructure failed");
    deps.stdout(`${why}; Pawl tries again ${when(deps, queue.retry_at)}\n`);
  }
}

export async function explainEntry(deps: Deps, named: string, options: Json): Promise<void> {
  const path = `/v1/queue/${encodeURIComponent(named)}/explain`;
  const lines = await deps.client.get<ExplainView>(path);
  if (options.json === true) {
    printJson(deps, lines);
    return;
  }
  const sentences = inSentences(deps);
  for (const { kind, text, at } of lines) {
    const time = at === null ? "" : paint(deps, "dim", timeAfter(text, when(deps, at)));
    const isQuoted = deps.isTty && kind === "output" && text.startsWith("|");
    // What a gate wrote keeps its bar.
    if (isQuoted) deps.stdout(`${wrapLine(harmless(text), deps.columns, { below: "|   " })}\n`);
    else sentences.stdout(`${harmless(text)}${time}\n`);
  }
}

/** Never two parentheses in a row. */
const timeAfter = (text: string, time: string): string =>
  text.endsWith(")") ? `, ${time}` : ` (${time})`;
