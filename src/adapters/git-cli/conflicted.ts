// What merge-tree says of a conflict in detail, and whether a program that merges text can help: both
// sides have the file, as text. A file that one side deleted, moved or made binary is for its author.
import type { Commit, Tree } from "../../core/ids.ts";
import { treeId } from "../../core/ids.ts";
import type { GitContext } from "./context.ts";

export type ConflictedFile = {
  path: string;
  mode: string;
  /** Undefined where both sides added the file. */
  base: string | undefined;
  ours: string;
  theirs: string;
};

/** `tree`: the merge with git's marks in the files. */
export type Conflicted = { kind: "text"; tree: Tree; files: ConflictedFile[] };

const FILES_MAX = 200;
const TEXT_CONFLICTS: ReadonlySet<string> = new Set(["CONFLICT (contents)", "CONFLICT (add/add)"]);
const STAGE = /^(?<mode>\d{6}) (?<blob>[0-9a-f]{40,64}) (?<stage>[123])\t(?<path>.+)$/su;
const REGULAR = /^100/;

export async function readConflict(
  context: GitContext,
  ours: Commit,
  theirs: Commit,
): Promise<Conflicted | { kind: "other"; why: string }> {
  const args = ["merge-tree", "--write-tree", "--messages", "-z", ours, theirs];
  const result = await context.inHub(args, { expect: [0, 1] });
  return parseConflict(result.bytes.toString("utf8"));
}

export function parseConflict(text: string): Conflicted | { kind: "other"; why: string } {
  const [tree = "", ...rest] = text.split("\0");
  const end = rest.indexOf("");
  const other = otherKind(rest.slice(end + 1));
  if (other !== undefined) return { kind: "other", why: other };
  const byPath = new Map<string, Map<string, { mode: string; blob: string }>>();
  for (const line of rest.slice(0, end)) {
    const { mode = "", blob = "", stage = "", path = "" } = STAGE.exec(line)?.groups ?? {};
    const stages = byPath.get(path) ?? new Map<string, { mode: string; blob: string }>();
    byPath.set(path, stages.set(stage, { mode, blob }));
  }
  if (byPath.size > FILES_MAX) return { kind: "other", why: `${byPath.size} files conflict` };
  const files: ConflictedFile[] = [];
  for (const [path, stages] of byPath) {
    const [base, mine, other] = ["1", "2", "3"].map((stage) => stages.get(stage));
    if (mine === undefined || other === undefined) {
      return { kind: "other", why: `only one side has ${path}` };
    }
    // Its bytes are lost by now, and another file would be written.
    if (path.includes("\uFFFD")) return { kind: "other", why: `${path} is not a name in UTF-8` };
    if (![base, mine, other].every((one) => one === undefined || REGULAR.test(one.mode))) {
      return { kind: "other", why: `${path} is not a plain file on both sides` };
    }
    const mode = mine.mode === base?.mode ? other.mode : mine.mode;
    files.push({ path, mode, base: base?.blob, ours: mine.blob, theirs: other.blob });
  }
  return { kind: "text", tree: treeId(tree), files };
}

/** Per message: how many paths, the paths, the kind, the sentence. The first that is not for text. */
function otherKind(fields: string[]): string | undefined {
  for (let at = 0; at < fields.length;) {
    const kindAt = at + 1 + Number(fields[at]);
    const [kind = "", sentence = ""] = fields.slice(kindAt, kindAt + 2);
    if (kind.startsWith("CONFLICT") && !TEXT_CONFLICTS.has(kind)) return sentence.trim();
    at = kindAt + 2;
  }
  return undefined;
}
