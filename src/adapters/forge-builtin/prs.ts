// Pull requests of the built-in tracker: one open PR per branch, and its end. Works inside the
// caller's transaction.
import type { Forge, Pr } from "../../ports/forge.ts";
import type { RecordReader, RecordWriter } from "../../ports/store.ts";
import { oneLine } from "../shared/title-line.ts";
import { type Collections, existing, takeNumber } from "./collections.ts";

type StoredPr = Omit<Pr, "issue" | "mergedAs"> & Partial<Pick<Pr, "issue" | "mergedAs">>;

export type PrInput = Parameters<Forge["ensurePr"]>[0];
export type PrEnd = Parameters<Forge["finishPr"]>[1];

export async function listPrs(
  records: RecordReader,
  on: Collections,
  state: "open" | "all",
): Promise<Pr[]> {
  if (state === "all") {
    return (await records.list<StoredPr>(on.prs)).map((record) => shown(record.value));
  }
  const open: Pr[] = [];
  for (const { value: number } of await records.list<number>(on.openPrs)) {
    const pr = await findPr(records, on, number);
    // It may have ended since the branches were read.
    if (pr?.state === "open") open.push(pr);
  }
  return open.toSorted((a, b) => a.number - b.number);
}

export async function findPr(
  records: RecordReader,
  on: Collections,
  number: number,
): Promise<Pr | undefined> {
  const found = await records.get<StoredPr>(on.prs, String(number));
  return found && shown(found.value);
}

export async function ensurePr(
  records: RecordWriter,
  on: Collections,
  input: PrInput & { at: number },
): Promise<Pr> {
  const answered = await records.get<number>(on.keys, `pr ${input.key}`);
  const open = answered ?? (await records.get<number>(on.openPrs, input.branch));
  const pr =
    open === undefined
      ? await createPr(records, on, input)
      : await updateHead(records, on, { ...input, number: open.value });
  if (answered === undefined) await records.put(on.keys, `pr ${input.key}`, pr.number);
  return shown(pr);
}

async function createPr(
  records: RecordWriter,
  on: Collections,
  input: PrInput & { at: number },
): Promise<StoredPr> {
  const number = await takeNumber(records, on);
  const { body, branch, head, target, issue, at } = input;
  const pr: StoredPr = {
    number,
    title: oneLine(input.title),
    body,
    branch,
    head,
    target,
    issue,
    state: "open",
    createdAt: at,
    updatedAt: at,
  };
  await records.put(on.prs, String(number), pr);
  await records.put(on.openPrs, branch, number);
  return pr;
}

/** A PR that has ended keeps the head it ended with. */
async function updateHead(
  records: RecordWriter,
  on: Collections,
  update: PrInput & { number: number; at: number },
): Promise<StoredPr> {
  const pr = await stored(records, on, update.number);
  if (pr.state !== "open" || pr.head === update.head) return pr;
  const updated = { ...pr, head: update.head, updatedAt: update.at };
  await records.put(on.prs, String(pr.number), updated);
  return updated;
}

/** `merged` is the stronger fact: it overrules `closed` and is never taken back. */
export async function finishPr(
  records: RecordWriter,
  on: Collections,
  finish: { number: number; end: PrEnd; at: number },
): Promise<void> {
  const pr = await stored(records, on, finish.number);
  if (pr.state === "merged" || pr.state === finish.end.state) return;
  await records.put(on.prs, String(pr.number), { ...pr, ...finish.end, updatedAt: finish.at });
  const open = await records.get<number>(on.openPrs, pr.branch);
  // Where this PR was closed before, the branch may have a new one.
  if (open?.value === pr.number) await records.delete(on.openPrs, pr.branch);
}

function stored(records: RecordReader, on: Collections, number: number): Promise<StoredPr> {
  return existing<StoredPr>(records, { collection: on.prs, number, what: "PR" });
}

function shown(pr: StoredPr): Pr {
  return { ...pr, issue: pr.issue, mergedAs: pr.mergedAs };
}
