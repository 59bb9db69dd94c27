// What a checkpoint's commit message records beside the files: enough to rebuild the workspace's
// own refs and nested repositories from the one commit. Pure, but for `readNote`.
import { isUtf8 } from "node:buffer";
import type { Commit, Tree } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import { oneLine } from "../../lib/one-line.ts";
import { bytes, byteString } from "../shared/folder.ts";
import { readCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";

export type CheckpointNote = {
  commit: Commit;
  tree: Tree;
  /** What was checked out; undefined before the first commit. */
  head: Commit | undefined;
  /** The full name of the branch checked out; undefined where HEAD was detached. */
  branch: string | undefined;
  /** Every ref of the workspace that names a commit, but those of remotes. */
  refs: Map<string, Commit>;
  /** Refs that name something else: a tag object, a tree, a file. */
  objects: Map<string, string>;
  /** Older entries of the stash, which no ref names. */
  kept: Commit[];
  /** Commits that only a tag object names. */
  also: Commit[];
  /** A commit that holds what the tree of files cannot (checkpoint-extra.ts). */
  extra: Commit | undefined;
  /** Checkpoints of the repositories inside, by path (a byte string). */
  nested: Map<string, Commit>;
} & NotePlace;

/** Where in its chain a checkpoint stands, and what it could not hold. */
export type NotePlace = {
  /** Counts from 1 and is never given twice, so that people can name a checkpoint by it. */
  number: number;
  /** The number of the checkpoint that is its first parent; undefined at the chain's beginning. */
  after: number | undefined;
  /** Paths that could not be saved. */
  skipped: string[];
  /** Those of them of which the tree has a copy of an earlier moment. */
  partial: string[];
};

export type NoteFacts = Omit<CheckpointNote, "commit" | "tree" | keyof NotePlace>;

const SUBJECT = "checkpoint: ";
/** Of the paths that could not be saved; the outcome has them all. */
export const SKIPPED_MAX = 100;

export function formatNote(reason: string, place: NotePlace, facts: NoteFacts): string {
  const subject = oneLine(reason).slice(0, 200);
  return `${SUBJECT}${subject}\n\n${formatPlace(place)}${formatFacts(facts)}`;
}

/** Why it was made; undefined where this is the message of something else. */
export function reasonOf(message: string): string | undefined {
  const [subject = ""] = message.split("\n", 1);
  return subject.startsWith(SUBJECT) ? subject.slice(SUBJECT.length) : undefined;
}

function formatPlace({ number, after, skipped, partial }: NotePlace): string {
  const lines = [
    `Pawl-Number: ${number}`,
    ...(after === undefined ? [] : [`Pawl-After: ${after}`]),
    ...skipped.slice(0, SKIPPED_MAX).map((path) => `Pawl-Skipped: ${JSON.stringify(path)}`),
    ...partial.slice(0, SKIPPED_MAX).map((path) => `Pawl-Partial: ${JSON.stringify(path)}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function parsePlace(message: string): NotePlace {
  const place: NotePlace = { number: 0, after: undefined, skipped: [], partial: [] };
  for (const [key, value] of trailers(message)) {
    if (key === "Number") place.number = Number(value);
    if (key === "After") place.after = Number(value);
    if (key === "Skipped") place.skipped.push(String(JSON.parse(value)));
    if (key === "Partial") place.partial.push(String(JSON.parse(value)));
  }
  return place;
}

function* trailers(message: string): Generator<[key: string, value: string]> {
  for (const line of message.split("\n")) {
    const { key, value = "" } = /^Pawl-(?<key>\w+): (?<value>.*)$/.exec(line)?.groups ?? {};
    if (key !== undefined) yield [key, value];
  }
}

/** The part that tells two notes apart; the reason does not count. */
export function formatFacts(facts: NoteFacts): string {
  const byName = <T>([a]: [string, T], [b]: [string, T]): number => (a < b ? -1 : 1);
  const lines = [
    ...(facts.head === undefined ? [] : [`Pawl-Head: ${facts.head}`]),
    ...(facts.branch === undefined ? [] : [`Pawl-Branch: ${facts.branch}`]),
    ...[...facts.refs].toSorted(byName).map(([name, commit]) => `Pawl-Ref: ${commit} ${name}`),
    ...[...facts.objects].toSorted(byName).map(([name, id]) => `Pawl-Object: ${id} ${name}`),
    // In their order: it is that of the stash.
    ...facts.kept.map((commit) => `Pawl-Kept: ${commit}`),
    ...facts.also.toSorted().map((commit) => `Pawl-Also: ${commit}`),
    ...(facts.extra === undefined ? [] : [`Pawl-Extra: ${facts.extra}`]),
    ...[...facts.nested]
      .toSorted(byName)
      .map(([path, commit]) => `Pawl-Nested: ${commit} ${quoted(path)}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function parseFacts(message: string): NoteFacts {
  const facts: NoteFacts = {
    head: undefined,
    branch: undefined,
    refs: new Map(),
    objects: new Map(),
    kept: [],
    also: [],
    extra: undefined,
    nested: new Map(),
  };
  for (const [key, value] of trailers(message)) {
    const space = value.indexOf(" ");
    const [id, rest] = [commitId(value.slice(0, space)), value.slice(space + 1)];
    if (key === "Head") facts.head = commitId(value);
    if (key === "Branch") facts.branch = value;
    if (key === "Kept") facts.kept.push(commitId(value));
    if (key === "Also") facts.also.push(commitId(value));
    if (key === "Extra") facts.extra = commitId(value);
    if (key === "Ref") facts.refs.set(rest, id);
    if (key === "Object") facts.objects.set(rest, id);
    if (key === "Nested") facts.nested.set(unquoted(rest), id);
  }
  return facts;
}

/** What a chain must keep reachable for this note. */
export const namedCommits = (facts: NoteFacts): Commit[] => [
  ...(facts.head === undefined ? [] : [facts.head]),
  ...facts.refs.values(),
  ...facts.kept,
  ...facts.also,
  ...(facts.extra === undefined ? [] : [facts.extra]),
  ...facts.nested.values(),
];

const BASE64 = "base64:";

/** A file name as text; bytes that are no UTF-8 become base64. No ref name contains a colon. */
export const nameOf = (path: string): string =>
  isUtf8(bytes(path)) ? bytes(path).toString("utf8") : `${BASE64}${bytes(path).toString("base64")}`;

/** The byte string that `nameOf` was given. */
export const bytesOfName = (name: string): string =>
  name.startsWith(BASE64)
    ? Buffer.from(name.slice(BASE64.length), "base64").toString("latin1")
    : byteString(name);

const quoted = (path: string): string =>
  isUtf8(bytes(path)) ? JSON.stringify(nameOf(path)) : nameOf(path);

const unquoted = (text: string): string =>
  text.startsWith(BASE64) ? bytesOfName(text) : byteString(String(JSON.parse(text)));

export async function readNote(context: GitContext, commit: Commit): Promise<CheckpointNote> {
  const { tree, message } = await readCommit(context, commit);
  return { commit, tree, ...parsePlace(message), ...parseFacts(message) };
}
