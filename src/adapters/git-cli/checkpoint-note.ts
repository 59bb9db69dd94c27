// What a checkpoint's commit message records beside the files: enough to rebuild the workspace's
// own refs and nested repositories from the one commit. Pure, but for `readNote`.
import type { Commit, Tree } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
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
};

export type NoteFacts = Omit<CheckpointNote, "commit" | "tree">;

export function formatNote(reason: string, facts: NoteFacts): string {
  const subject = reason.replaceAll(/\s+/g, " ").trim().slice(0, 200);
  return `checkpoint: ${subject}\n\n${formatFacts(facts)}`;
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
  for (const line of message.split("\n")) {
    const { key, value = "" } = /^Pawl-(?<key>\w+): (?<value>.*)$/.exec(line)?.groups ?? {};
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
  return { commit, tree, ...parseFacts(message) };
}
