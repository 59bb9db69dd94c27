// Issues of the built-in tracker: made, edited, claimed. Works inside the caller's transaction.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Issue, LABELS } from "../../core/issue.ts";
import type { Claim, Forge, IssueEdit, IssuePage, NewIssue } from "../../ports/forge.ts";
import type { RecordReader, RecordWriter } from "../../ports/store.ts";
import { oneLine } from "../shared/title-line.ts";
import { type Collections, existing, takeNumber } from "./collections.ts";

/** `claim`: the key that took the issue, as long as it is in progress. */
type StoredIssue = Omit<Issue, "url"> & { claim?: string };

export type IssueChange = Parameters<Forge["editIssue"]>[1];
export type ClaimOutcome = Awaited<ReturnType<Forge["claim"]>>;

export async function listIssues(
  records: RecordReader,
  on: Collections,
  state: "open" | "closed" | "all",
): Promise<Issue[]> {
  if (state === "open") return listOpen(records, on);
  const all = await records.list<StoredIssue>(on.issues);
  const issues = all.map((record) => shown(record.value));
  return state === "all" ? issues : issues.filter((issue) => issue.state === state);
}

/**
 * About 8 ms of them where 10,000 are open: more at once would hold up everything else, and each page
 * looks at all keys.
 */
const READ_AT_ONCE = 1000;

const listOpen = (records: RecordReader, on: Collections): Promise<Issue[]> =>
  pageIssues(records, on, { state: "open", limit: Infinity });

export async function pageIssues(
  records: RecordReader,
  on: Collections,
  { state, label, after = 0, limit }: IssuePage,
): Promise<Issue[]> {
  const named = state === "open" ? { keysIn: on.openIssues } : {};
  const atOnce = Math.min(limit, READ_AT_ONCE);
  const found: Issue[] = [];
  for (let from = after; ;) {
    const query = { after: String(from), limit: atOnce, byNumber: true, ...named } as const;
    const page = await records.page<StoredIssue>(on.issues, query);
    for (const { value: issue } of page) {
      const isLabelled = label === undefined || issue.labels.includes(label);
      if ((state === "all" || issue.state === state) && isLabelled) found.push(shown(issue));
      if (found.length === limit) return found;
    }
    const last = page.at(-1);
    if (last === undefined) return found;
    from = Number(last.key);
    await nextTurn();
  }
}

export async function findIssue(
  records: RecordReader,
  on: Collections,
  number: number,
): Promise<Issue | undefined> {
  const found = await records.get<StoredIssue>(on.issues, String(number));
  return found && shown(found.value);
}

export async function createIssue(
  records: RecordWriter,
  on: Collections,
  input: NewIssue & { at: number },
): Promise<Issue> {
  const made = await records.get<number>(on.keys, `issue ${input.key}`);
  if (made !== undefined) return shown(await stored(records, on, made.value));
  const number = await takeNumber(records, on);
  const issue: StoredIssue = {
    number,
    title: oneLine(input.title),
    body: input.body,
    state: "open",
    labels: [...new Set(input.labels)],
    author: input.author,
    createdAt: input.at,
    updatedAt: input.at,
  };
  await records.put(on.keys, `issue ${input.key}`, number);
  await write(records, on, issue);
  return shown(issue);
}

export async function editIssue(
  records: RecordWriter,
  on: Collections,
  edit: { number: number; change: IssueChange; at: number },
): Promise<Issue> {
  const before = await stored(records, on, edit.number);
  const { title = before.title, body = before.body, state = before.state } = edit.change;
  const labels = relabelled(before.labels, edit.change);
  const edited = { ...before, title: oneLine(title), body, state, labels, updatedAt: edit.at };
  const issue = labels.includes(LABELS.inProgress) ? edited : unclaimed(edited);
  await keepText(records, on, { before, after: issue });
  await write(records, on, issue);
  return shown(issue);
}

/** The text before an edit, where the edit changes it: there is no other copy of it. */
async function keepText(
  records: RecordWriter,
  on: Collections,
  { before, after }: { before: StoredIssue; after: StoredIssue },
): Promise<void> {
  const { number, title, body } = before;
  if (title === after.title && body === after.body) return;
  const ordinal = (await records.list(on.edits(number))).length + 1;
  const kept: IssueEdit = { title, body, at: after.updatedAt };
  await records.put(on.edits(number), String(ordinal).padStart(6, "0"), kept);
}

export async function listEdits(
  records: RecordReader,
  on: Collections,
  number: number,
): Promise<IssueEdit[]> {
  await stored(records, on, number);
  const all = await records.list<IssueEdit>(on.edits(number));
  return all.toSorted((a, b) => a.key.localeCompare(b.key)).map(({ value }) => value);
}

export async function claimIssue(
  records: RecordWriter,
  on: Collections,
  claim: { number: number; key: string; at: number },
): Promise<ClaimOutcome> {
  const issue = await stored(records, on, claim.number);
  if (issue.state === "closed") return { kind: "lost", why: `#${claim.number} is closed` };
  if (issue.labels.includes(LABELS.inProgress)) {
    if (issue.claim === claim.key) return { kind: "claimed" };
    const by = issue.claim === undefined ? "" : ` (${issue.claim})`;
    return { kind: "lost", why: `#${claim.number} is in progress already${by}` };
  }
  const labels = relabelled(issue.labels, {
    addLabels: [LABELS.inProgress],
    removeLabels: [LABELS.backlog],
  });
  await write(records, on, { ...issue, labels, claim: claim.key, updatedAt: claim.at });
  return { kind: "claimed" };
}

/** The tracker lives in the journal, so that every claim in it is this factory's. */
export async function claimOn(
  records: RecordReader,
  on: Collections,
  number: number,
): Promise<Claim | undefined> {
  const { claim: key, updatedAt: at } = await stored(records, on, number);
  return key === undefined ? undefined : { key, by: "pawl", at, holder: "this" };
}

function stored(records: RecordReader, on: Collections, number: number): Promise<StoredIssue> {
  return existing<StoredIssue>(records, { collection: on.issues, number, what: "issue" });
}

/** The record's own version counts the writes. */
export const revisionOf = async (records: RecordReader, on: Collections): Promise<string> =>
  String((await records.get(on.counter, REVISION))?.version ?? 0);

const REVISION = "revision";

async function write(records: RecordWriter, on: Collections, issue: StoredIssue): Promise<void> {
  const key = String(issue.number);
  await records.put(on.issues, key, issue);
  await records.put(on.counter, REVISION, true);
  if (issue.state === "closed") await records.delete(on.openIssues, key);
  else if ((await records.get(on.openIssues, key)) === undefined) {
    await records.put(on.openIssues, key, true);
  }
}

/** Removes first: a label that is both removed and added is there afterwards. */
function relabelled(
  labels: string[],
  change: { addLabels?: string[]; removeLabels?: string[] },
): string[] {
  const kept = labels.filter((label) => !change.removeLabels?.includes(label));
  return [...new Set([...kept, ...(change.addLabels ?? [])])];
}

function unclaimed(issue: StoredIssue): StoredIssue {
  const { claim: _, ...rest } = issue;
  return rest;
}

function shown(issue: StoredIssue): Issue {
  return { ...unclaimed(issue), url: undefined };
}
