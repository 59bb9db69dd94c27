// Why an entry is where it is, and what was tested with which result. Structured lines: what kind
// of fact, the sentence, and when; the command line only lays them out.
import { firstFailure } from "../check.ts";
import type { Waiting } from "./order.ts";
import type { ChangedBy, Entry, PastEntry, Queue, QueueRecord, ReturnReason } from "./queue.ts";
import { entryStatus, inLandingOrder } from "./status.ts";

export type ExplainLine = {
  kind: "queue" | "entry" | "position" | "waiting" | "evidence" | "end" | "output";
  text: string;
  at?: number;
};

export function explain(queue: Queue, id: number, now: number): ExplainLine[] | undefined {
  const active = queue.entries.find((entry) => entry.id === id);
  const past = queue.past.findLast((gone) => gone.id === id);
  const entry = active ?? past;
  if (entry === undefined) return undefined;
  return [
    ...earlierTimes(entry),
    about(entry),
    ...(active === undefined ? [] : [...stops(queue), ...where(queue, active, now)]),
    ...resolution(entry),
    ...evidence(queue, id).map((fact) => evidenceLine(queue, fact, id)),
    ...(past === undefined ? [] : [end(past), ...output(past), ...nextStep(past)]),
  ];
}

/** An agent fixes its own branch; a branch that a person added waits for that person. */
function nextStep(entry: PastEntry): ExplainLine[] {
  const text = stepAfterReturn(entry);
  return text === undefined ? [] : [{ kind: "end", text }];
}

export function stepAfterReturn(entry: PastEntry): string | undefined {
  const { end: how, run, branch } = entry;
  if (how.kind !== "returned" || run !== undefined) return undefined;
  return isEmpty(entry)
    ? `\`pawl merge-queue remove ${branch}\` takes it off the list`
    : `fix the branch and commit, then queue it again: \`pawl merge-queue add ${branch}\``;
}

/** It was sent back because it has nothing to land. */
export const isEmpty = ({ end: how }: PastEntry): boolean =>
  how.kind === "returned" && how.reason.kind === "held" && how.reason.isEmpty === true;

function earlierTimes({ branch, earlier = [] }: Entry): ExplainLine[] {
  return earlier.map(({ entry, head, leftAt, end: how }) => ({
    kind: "evidence",
    at: leftAt,
    text: `${branch} at ${short(head)} was queued before as entry ${entry}, and ${how}`,
  }));
}

/** Its candidate is not git's merge alone. */
function resolution({ resolved }: Entry): ExplainLine[] {
  if (resolved === undefined) return [];
  const files = resolved.files.join(", ");
  return [{ kind: "evidence", text: `conflicts in ${files} were resolved by ${resolved.by}` }];
}

/** A failed assertion of Node with its stack has 18. */
const OUTPUT_LINES = 30;

/** The end of what made it red, and where the rest is. */
function output({ end: how, branch }: PastEntry): ExplainLine[] {
  if (how.kind !== "returned" || how.reason.kind !== "tests") return [];
  const failure = firstFailure(how.reason.outcome.results);
  if (failure === undefined) return [];
  const lines = failure.logTail.trimEnd().split("\n").slice(-OUTPUT_LINES);
  return [
    ...lines.map((line): ExplainLine => ({ kind: "output", text: `| ${line}` })),
    {
      kind: "output",
      text: `whole output: ${failure.logFile} (\`pawl ci logs ${branch}\`)`,
    },
  ];
}

const about = (entry: Entry): ExplainLine => ({
  kind: "entry",
  at: entry.requestedAt,
  text: `${entry.branch} at ${short(entry.head)} was queued as entry ${entry.id}${ofIssue(entry)} (${times(entry.attempts)}, priority ${entry.priority})`,
});

const ofIssue = ({ issue }: Entry): string => (issue === undefined ? "" : ` of #${issue}`);
const times = (count: number): string =>
  `for the ${["first", "second", "third"][count - 1] ?? `${count}th`} time`;
const short = (commit: string): string => commit.slice(0, 10);

/** What delays all entries. */
function stops({ paused, stop, trouble, oneByOne }: Queue): ExplainLine[] {
  const lines: ExplainLine[] = [];
  if (oneByOne === true) {
    const text = "upstream refuses pushes to the target: the forge merges PRs there, one by one";
    lines.push({ kind: "queue", text });
  }
  if (paused !== undefined) {
    lines.push({
      kind: "queue",
      at: paused.at,
      text: `the queue is paused by ${paused.by}: ${paused.why}`,
    });
  }
  if (stop !== undefined) {
    const hint = stop.hint === undefined ? "" : ` (${stop.hint})`;
    lines.push({ kind: "queue", at: stop.at, text: `the queue stopped: ${stop.why}${hint}` });
  }
  if (trouble !== undefined && stop === undefined) {
    lines.push({
      kind: "queue",
      at: trouble.until,
      text: `the queue waits: ${trouble.message}`,
    });
  }
  return lines;
}

function where(queue: Queue, entry: Entry, now: number): ExplainLine[] {
  const { entries, chosen } = inLandingOrder(queue, now);
  const position = entries.findIndex((other) => other.id === entry.id) + 1;
  const status = entryStatus(queue, entry, chosen);
  const lines: ExplainLine[] = [
    { kind: "position", text: `it is ${status}, number ${position} of ${entries.length}` },
  ];
  const test = queue.stack.slice(stackIndex(queue, entry)).find((slot) => slot.test)?.test;
  if (status === "testing" && test !== undefined) {
    lines.push({
      kind: "position",
      at: test.at,
      text: "it is being tested together with the entries before it",
    });
  }
  const waiting = chosen.waiting.get(entry.id);
  if (waiting !== undefined) lines.push({ kind: "waiting", text: waitingText(queue, waiting) });
  if (waiting?.kind === "operator") {
    if (entry.run !== undefined && entry.issue !== undefined) {
      lines.push({ kind: "waiting", text: `\`pawl diff ${entry.issue}\` shows what it changes` });
    }
    const text = `\`pawl merge-queue approve e${entry.id}\` approves this version`;
    lines.push({ kind: "waiting", text });
  }
  if (entry.leaving !== undefined) {
    lines.push({
      kind: "waiting",
      text: `it was cancelled (${entry.leaving}) while it was landing: Pawl removes it only if the landing fails`,
    });
  }
  return lines;
}

const stackIndex = (queue: Queue, entry: Entry): number => {
  const index = queue.stack.findIndex((slot) => slot.entry === entry.id);
  return index === -1 ? queue.stack.length : index;
};

export const needsApproval = (paths: string[] | undefined): string =>
  `it changes ${changedFiles(paths)}: an operator must approve it`;

/** The protected files of an entry, in words. */
export const changedFiles = (paths: string[] = ["pawl.toml"]): string => paths.join(", ");

export function waitingText(queue: Queue, waiting: Waiting): string {
  switch (waiting.kind) {
    case "survey":
      return surveyText(queue);
    case "operator":
      return needsApproval(waiting.paths);
    case "held":
      return `${waiting.obstacle} (Pawl tries again at ${new Date(waiting.until).toISOString()})`;
    case "after":
      return `it lands after ${waiting.branches.map((branch) => standing(queue, branch)).join(", ")}`;
    case "conflict":
      return `it conflicts with ${called(queue, waiting.with)} in ${waiting.files.join(", ")}; when that entry has landed, this one goes back to its author`;
    case "policy-change":
      return `${called(queue, waiting.by)} changes the gates and lands first`;
  }
}

/** One that is under way when the queue is paused is finished. */
function surveyText({ survey, stop, paused }: Queue): string {
  const isStill = survey === undefined && (stop !== undefined || paused !== undefined);
  if (!isStill) return "Pawl is looking for conflicts with the other entries";
  const word = stop === undefined ? "paused" : "stopped";
  return `the queue is ${word}: Pawl looks for conflicts when it resumes`;
}

function standing(queue: Queue, branch: string): string {
  if (queue.entries.some((entry) => entry.branch === branch)) return branch;
  const past = queue.past.findLast((entry) => entry.branch === branch);
  if (past === undefined) return `${branch} (not queued)`;
  return `${branch} (${past.end.kind === "merged" ? "landed" : past.end.kind})`;
}

const evidence = (queue: Queue, id: number): QueueRecord[] =>
  queue.records.filter((fact) => fact.entries.includes(id));

function evidenceLine(queue: Queue, fact: QueueRecord, id: number): ExplainLine {
  return { kind: "evidence", at: fact.at, text: evidenceText(queue, fact, id) };
}

/** An entry as people know it: by its issue, or by its branch. */
function called(queue: Queue, id: number): string {
  const entry = [...queue.past, ...queue.entries].findLast((one) => one.id === id);
  return entry === undefined ? `entry ${id}` : `entry ${id} (${workOf(entry)})`;
}

const workOf = ({ issue, branch }: Pick<Entry, "issue" | "branch">): string =>
  issue === undefined ? branch : `#${issue}`;

function evidenceText(queue: Queue, fact: QueueRecord, id: number): string {
  const position = fact.entries.indexOf(id) + 1;
  const others = fact.entries.filter((other) => other !== id);
  const together = others.length === 0 ? "alone" : `as ${position} of ${fact.entries.length}`;
  switch (fact.kind) {
    case "checked": {
      const how = [fact.flaky ? "flaky" : "", fact.remembered ? "remembered" : ""];
      const marks = how.filter((mark) => mark !== "").join(", ");
      const detail = fact.detail === undefined ? "" : `: ${fact.detail}`;
      return `tested ${together}: ${fact.result}${marks === "" ? "" : ` (${marks})`}${detail}`;
    }
    case "conflicted":
      return others.length === 0
        ? `conflicts with the target in ${fact.files.join(", ")}`
        : `conflicts with ${others.map((other) => called(queue, other)).join(", ")}: ${fact.files.join(", ")}`;
    case "landed":
      return others.length === 0 ? "landed alone" : `landed in a batch of ${fact.entries.length}`;
    case "landing-failed":
      return `did not land ${others.length === 0 ? "alone" : "with its batch"}: ${fact.why}`;
  }
}

const end = (entry: PastEntry): ExplainLine => ({
  kind: "end",
  at: entry.leftAt,
  text: endText(entry),
});

export function endText(entry: PastEntry): string {
  switch (entry.end.kind) {
    case "merged":
      return `landed as ${short(entry.end.commit)}${removed(entry)}`;
    case "withdrawn":
      return `cancelled: ${entry.end.why}`;
    case "returned":
      return `sent back: ${reasonText(entry.end.reason)}`;
  }
}

function removed({ branch, head, end: how }: PastEntry): string {
  if (how.kind !== "merged" || how.removed === undefined) return "";
  if (how.removed === "upstream") return `; the branch ${branch} was removed from upstream`;
  return `; your branch ${branch} was removed (\`git branch ${branch} ${short(head)}\` restores it)`;
}

const changedThere = ({ commit, subject, entry }: ChangedBy): string =>
  `${short(commit)} "${subject}"${entry === undefined ? "" : ` (entry ${entry.id}, ${workOf(entry)})`}`;

export function reasonText(reason: ReturnReason): string {
  switch (reason.kind) {
    case "conflict": {
      const { files, by = [], unresolved } = reason;
      const whom = by.length === 0 ? "" : `, changed there by ${by.map(changedThere).join(", ")}`;
      const tried = unresolved === undefined ? "" : `; not resolved: ${unresolved}`;
      return `conflicts with the target in ${files.join(", ")}${whom}${tried}`;
    }
    case "tests":
      return `red on top of a green target (${firstFailure(reason.outcome.results)?.gate ?? "gate unknown"})`;
    case "overtaken":
      return `another writer pushed to the branch, which is at ${short(reason.theirs)} upstream`;
    case "held":
      return reason.why;
  }
}
