// Comments and reviews of the built-in tracker. Each keeps the key it was made under and lies in a
// collection of its issue or PR, which is short enough to look a key up in. Works inside the
// caller's transaction.
import type { Comment, Forge, Review } from "../../ports/forge.ts";
import type { RecordReader, RecordWriter } from "../../ports/store.ts";
import { type Collections, existing, notFound } from "./collections.ts";

type Keyed<T> = T & { key: string };

export type CommentInput = Parameters<Forge["comment"]>[0];
export type ReviewInput = Parameters<Forge["review"]>[0];

export async function listComments(
  records: RecordReader,
  on: Collections,
  number: number,
): Promise<Comment[]> {
  await requireSubject(records, on, number);
  return list<Comment>(records, on.comments(number));
}

export async function addComment(
  records: RecordWriter,
  on: Collections,
  input: CommentInput & { at: number },
): Promise<Comment> {
  const { issue, author, body, key, at } = input;
  await requireSubject(records, on, issue);
  const place = { collection: on.comments(issue), prefix: `${issue}-`, key };
  return addOnce<Comment>(records, place, (id) => ({ id, author, body, createdAt: at }));
}

export async function listReviews(
  records: RecordReader,
  on: Collections,
  pr: number,
): Promise<Review[]> {
  await existing(records, { collection: on.prs, number: pr, what: "PR" });
  return list<Review>(records, on.reviews(pr));
}

export async function addReview(
  records: RecordWriter,
  on: Collections,
  input: ReviewInput & { at: number },
): Promise<Review> {
  const { pr, author, head, verdict, body, key, at } = input;
  await existing(records, { collection: on.prs, number: pr, what: "PR" });
  const place = { collection: on.reviews(pr), prefix: `${pr}-`, key };
  const made = { author, head, verdict, body, createdAt: at, dismissed: false };
  return addOnce<Review>(records, place, (id) => ({ id, ...made }));
}

export async function dismissReview(
  records: RecordWriter,
  on: Collections,
  input: { pr: number; id: string },
): Promise<void> {
  await existing(records, { collection: on.prs, number: input.pr, what: "PR" });
  const all = await records.list<Keyed<Review>>(on.reviews(input.pr));
  const found = all.find((record) => record.value.id === input.id);
  if (found === undefined) throw notFound("review", input.id);
  await records.put(on.reviews(input.pr), found.key, { ...found.value, dismissed: true });
}

/** Comments can be made on issues and on PRs: they share one row of numbers. */
async function requireSubject(
  records: RecordReader,
  on: Collections,
  number: number,
): Promise<void> {
  const subject =
    (await records.get(on.issues, String(number))) ?? (await records.get(on.prs, String(number)));
  if (subject === undefined) throw notFound("issue or PR", number);
}

async function list<T extends object>(records: RecordReader, collection: string): Promise<T[]> {
  const all = await records.list<Keyed<T>>(collection);
  return all.map((record) => withoutKey(record.value));
}

async function addOnce<T extends object>(
  records: RecordWriter,
  place: { collection: string; prefix: string; key: string },
  make: (id: string) => T,
): Promise<T> {
  const all = await records.list<Keyed<T>>(place.collection);
  const made = all.find((record) => record.value.key === place.key);
  if (made !== undefined) return withoutKey(made.value);
  const ordinal = all.length + 1;
  // Padded: reviews of the same millisecond are told apart by comparing ids as text.
  const item = make(place.prefix + String(ordinal).padStart(6, "0"));
  await records.put(place.collection, String(ordinal), { ...item, key: place.key });
  return item;
}

function withoutKey<T extends object>(item: Keyed<T>): T {
  const { key: _, ...rest } = item;
  return rest as unknown as T;
}
