// What a checkpoint's commit message records beside the files: enough to rebuild the workspace's
// own refs and nested repositories from the one commit. Pure, but for `readNote`.
import type { Commit, Tree } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import { oneLine } from "../../lib/one-line.ts";
import { readCommit } from "./commits.ts";
import type { GitContext } from "./context.ts";

export type CheckpointNote = {
  commit: Commit;
  tree: Tree;
  /** What was checked out; undefined before the first commit. */
  head: Commit | undefined;
  /** The full name of the branch checked out; undefined where HEAD was detached. */
  branch: string | undefined;
  /** Branches and the stash of the workspace. */
  refs: Map<string, Commit>;
  /** Older entries of the stash, which no ref names. */
  kept: Commit[];
  /** Checkpoints of the repositories inside, by path. */
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
};

export type NoteFacts = Omit<CheckpointNote, "commit" | "tree" | keyof NotePlace>;

const SUBJECT = "checkpoint: ";
/** Of the paths that could not be saved; the outcome has them all. */
const SKIPPED_MAX = 100;

export function formatNote(reason: string, place: NotePlace, facts: NoteFacts): string {
  const subject = oneLine(reason).slice(0, 200);
  return `${SUBJECT}${subject}\n\n${formatPlace(place)}${formatFacts(facts)}`;
}

/** Why it was made; undefined where this is the message of something else. */
export function reasonOf(message: string): string | undefined {
  const [subject = ""] = message.split("\n", 1);
  return subject.startsWith(SUBJECT) ? subject.slice(SUBJECT.length) : undefined;
}

function formatPlace({ number, after, skipped }: NotePlace): string {
  const lines = [
    `Pawl-Number: ${number}`,
    ...(after === undefined ? [] : [`Pawl-After: ${after}`]),
    ...skipped.slice(0, SKIPPED_MAX).map((path) => `Pawl-Skipped: ${JSON.stringify(path)}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function parsePlace(message: string): NotePlace {
  const place: NotePlace = { number: 0, after: undefined, skipped: [] };
  for (const [key, value] of trailers(message)) {
    if (key === "Number") place.number = Number(value);
    if (key === "After") place.after = Number(value);
    if (key === "Skipped") place.skipped.push(String(JSON.parse(value)));
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
    ...facts.kept.toSorted().map((commit) => `Pawl-Kept: ${commit}`),
    ...[...facts.nested]
      .toSorted(byName)
      .map(([path, commit]) => `Pawl-Nested: ${commit} ${JSON.stringify(path)}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

export function parseFacts(message: string): NoteFacts {
  const facts: NoteFacts = {
    head: undefined,
    branch: undefined,
    refs: new Map(),
    kept: [],
    nested: new Map(),
  };
  for (const [key, value] of trailers(message)) {
    const space = value.indexOf(" ");
    const [id, rest] = [commitId(value.slice(0, space)), value.slice(space + 1)];
    if (key === "Head") facts.head = commitId(value);
    if (key === "Branch") facts.branch = value;
    if (key === "Kept") facts.kept.push(commitId(value));
    if (key === "Ref") facts.refs.set(rest, id);
    if (key === "Nested") facts.nested.set(String(JSON.parse(rest)), id);
  }
  return facts;
}

export async function readNote(context: GitContext, commit: Commit): Promise<CheckpointNote> {
  const { tree, message } = await readCommit(context, commit);
  return { commit, tree, ...parsePlace(message), ...parseFacts(message) };
}
