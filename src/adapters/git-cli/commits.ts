// Reading commits as plain values and writing new ones, without any checkout.
import type { Commit, Tree } from "../../core/ids.ts";
import { commitId, treeId } from "../../core/ids.ts";
import { committerOf } from "./authors.ts";
import type { Author } from "./authors.ts";
import { perContext, type GitContext } from "./context.ts";
import { writeObject } from "./write-object.ts";

export type CommitFacts = {
  commit: Commit;
  parents: Commit[];
  tree: Tree;
  author: Author;
  /** `seconds zone`, as git keeps it. */
  authorDate: string;
  committedAtS: number;
  message: string;
};

const FORMAT = ["%H", "%P", "%T", "%an", "%ae", "%ad", "%ct", "%B"].join("%x00");
const FIELDS = 8;

/** What `git log` says of a range, oldest first. */
export async function readCommits(context: GitContext, range: string[]): Promise<CommitFacts[]> {
  const args = ["log", "-z", "--reverse", "--topo-order", "--date=raw", "--encoding=UTF-8"];
  const result = await context.inHub([...args, `--format=${FORMAT}`, ...range, "--"]);
  const commits = parseCommits(result.bytes.toString("utf8"));
  for (const commit of commits) rememberCommit(context, commit);
  return commits;
}

export async function readCommit(context: GitContext, commit: Commit): Promise<CommitFacts> {
  const [facts] = await readCommits(context, ["--no-walk", commit]);
  if (facts === undefined) throw new Error(`git log returned nothing for ${commit}`);
  return facts;
}

export function parseCommits(text: string): CommitFacts[] {
  const fields = text.split("\0");
  const commits: CommitFacts[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [
      id = "",
      parents = "",
      tree = "",
      name = "",
      email = "",
      date = "",
      time = "",
      body = "",
    ] = fields.slice(at, at + FIELDS);
    commits.push({
      commit: commitId(id),
      parents: parents.split(" ").filter(Boolean).map(commitId),
      tree: treeId(tree),
      author: { name, email },
      authorDate: date,
      committedAtS: Number(time),
      message: body,
    });
  }
  return commits;
}

export type NewCommit = {
  tree: Tree;
  parents: Commit[];
  message: string;
  author: Author;
  authorDate: string;
  /** Given, not taken from the clock: the same request made twice is the same commit. */
  committedAtS: number;
  /** Checkpoints are never signed: saving must not wait for a key. */
  unsigned?: boolean;
};

export async function writeCommit(context: GitContext, commit: NewCommit): Promise<Commit> {
  const signed = context.config.sign && commit.unsigned !== true;
  // A date that git would refuse is left to git.
  const written =
    signed || !PLAIN_DATE.test(commit.authorDate)
      ? await writeByGit(context, commit, signed)
      : await writeUnsigned(context, commit);
  rememberTree(context, written, commit.tree);
  rememberCommit(context, { ...commit, commit: written });
  return written;
}

const PLAIN_DATE = /^\d+ [+-]\d{4}$/;

async function writeByGit(
  context: GitContext,
  commit: NewCommit,
  signed: boolean,
): Promise<Commit> {
  const committer = committerOf(context);
  const parents = commit.parents.flatMap((parent) => ["-p", parent]);
  const args = ["commit-tree", commit.tree, ...parents, ...(signed ? ["-S"] : []), "-F", "-"];
  const result = await context.inHub(args, {
    reach: signed ? "user" : "private",
    stdin: commit.message,
    env: {
      GIT_AUTHOR_NAME: commit.author.name || "unknown",
      GIT_AUTHOR_EMAIL: commit.author.email,
      GIT_AUTHOR_DATE: `@${commit.authorDate}`,
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: `@${commit.committedAtS} +0000`,
    },
    what: "write a commit in the hub",
  });
  return commitId(result.stdout);
}

async function writeUnsigned(context: GitContext, commit: NewCommit): Promise<Commit> {
  const lines = [
    `tree ${commit.tree}`,
    // Git ignores a parent that is named twice.
    ...[...new Set(commit.parents)].map((parent) => `parent ${parent}`),
    `author ${person(commit.author)} ${commit.authorDate}`,
    `committer ${person(committerOf(context))} ${commit.committedAtS} +0000`,
    "",
    commit.message.replaceAll("\0", ""),
  ];
  const text = lines.join("\n");
  return commitId(await writeObject(context, { kind: "commit", text, like: commit.tree }));
}

const person = ({ name, email }: Author): string =>
  `${withoutCrud(name) || "unknown"} <${withoutCrud(email)}>`;

/** As git writes names: without what would end one, and without these signs around it. */
const withoutCrud = (text: string): string =>
  text.replaceAll(/^[\0- .,:;<>"\\']+|[\0- .,:;<>"\\']+$|[<>\n\0]/g, "");

type Known = Pick<CommitFacts, "parents" | "tree" | "committedAtS">;

/** A commit never changes, and each candidate stands on commits of the one before it. */
const known = perContext((): Map<Commit, Known> => new Map());
const KNOWN_MAX = 10_000;

function rememberCommit(
  context: GitContext,
  { commit, parents, tree, committedAtS }: Known & { commit: Commit },
): void {
  const all = known(context);
  if (all.size >= KNOWN_MAX) all.clear();
  all.set(commit, { parents: [...new Set(parents)], tree, committedAtS });
}

/** What was read or written of it before; undefined where it was neither. */
export const knownCommit = (context: GitContext, commit: Commit): Known | undefined =>
  known(context).get(commit);

/** A longer way is left to git. */
const WAY_MAX = 500;

/** Whether what is known of a commit and its first parents leads down to `base`; git may know of more. */
export function isBuiltOn(context: GitContext, commit: Commit, base: Commit): boolean {
  let at: Commit | undefined = commit;
  for (let way = 0; at !== undefined && at !== base && way < WAY_MAX; way += 1) {
    at = knownCommit(context, at)?.parents[0];
  }
  return at === base;
}

/** A commit never changes, and the same few are asked for again and again. */
const trees = perContext((): Map<Commit, Tree> => new Map());
const TREES_MAX = 1000;

export function rememberTree(context: GitContext, commit: Commit, tree: Tree): void {
  const known = trees(context);
  if (known.size >= TREES_MAX) known.clear();
  known.set(commit, tree);
}

/** The tree of a commit. */
export async function treeOf(context: GitContext, commit: Commit): Promise<Tree> {
  const known = trees(context).get(commit) ?? (await readTree(context, commit));
  rememberTree(context, commit, known);
  return known;
}

async function readTree(context: GitContext, commit: Commit): Promise<Tree> {
  const result = await context.inHub([
    "rev-parse",
    "--verify",
    "--end-of-options",
    `${commit}^{tree}`,
  ]);
  return treeId(result.stdout);
}
