// Git's content semantics, small enough to be checked: a tree is a map of files to texts, a commit
// has a tree and parents, merging is three-way by file. What is true of the target is read off here.
import { commitId, treeId, type Commit, type Tree } from "../src/core/ids.ts";
import { assert } from "../src/lib/assert.ts";

export type Files = ReadonlyMap<string, string>;

type CommitFacts = { tree: Tree; parents: Commit[]; message: string; seq: number };

/** Of which of two commits another one is an ancestor. */
type Descent = "first" | "second" | "both";

export type Merged = { kind: "clean"; tree: Tree } | { kind: "conflict"; files: string[] };

export class Repository {
  readonly #trees = new Map<string, Tree>();
  readonly #files = new Map<Tree, Files>();
  /** Files are never changed in place, so that the same map is the same tree. */
  readonly #known = new WeakMap<Files, Tree>();
  readonly #commits = new Map<Commit, CommitFacts>();

  /** The same content is the same tree. */
  tree(files: Files): Tree {
    const known = this.#known.get(files);
    if (known !== undefined) return known;
    const tree = this.#make(files);
    this.#known.set(files, tree);
    return tree;
  }

  #make(files: Files): Tree {
    const sorted = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const content = JSON.stringify(sorted);
    const known = this.#trees.get(content);
    if (known !== undefined) return known;
    const tree = treeId(`tree-${this.#trees.size + 1}`);
    this.#trees.set(content, tree);
    this.#files.set(tree, new Map(sorted));
    return tree;
  }

  commit(facts: { tree: Tree; parents: Commit[]; message: string }): Commit {
    const seq = this.#commits.size + 1;
    const id = commitId(`commit-${seq}`);
    this.#commits.set(id, { ...facts, seq });
    return id;
  }

  treeOf(commit: Commit): Tree {
    return this.#facts(commit).tree;
  }

  files(commit: Commit): Files {
    return this.filesOf(this.treeOf(commit));
  }

  filesOf(tree: Tree): Files {
    const files = this.#files.get(tree);
    assert(files !== undefined, `no tree ${tree} in the simulated repository`);
    return files;
  }

  parents(commit: Commit): Commit[] {
    return this.#facts(commit).parents;
  }

  isAncestor(old: Commit, young: Commit): boolean {
    const floor = this.#facts(old).seq;
    const waiting = [young];
    const seen = new Set<Commit>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === old) return true;
      const facts = this.#facts(next);
      if (facts.seq <= floor || seen.has(next)) continue;
      seen.add(next);
      waiting.push(...facts.parents);
    }
    return false;
  }

  mergeBase(a: Commit, b: Commit): Commit {
    for (const { commit, of } of this.#downFrom(a, b)) if (of === "both") return commit;
    assert(false, `${a} and ${b} have nothing in common`);
  }

  /**
   * The ancestors of two commits and these themselves, the youngest first, so that it is known of
   * whom each is one when it is come to. Where nothing but common ones is left, it ends.
   */
  *#downFrom(a: Commit, b: Commit): Generator<{ commit: Commit; of: Descent }> {
    const waiting = new Map<Commit, Descent>([[a, "first"]]);
    waiting.set(b, a === b ? "both" : "second");
    while (waiting.size > 0) {
      const commit = this.#youngest(waiting.keys());
      const of = waiting.get(commit) ?? "both";
      waiting.delete(commit);
      yield { commit, of };
      if (of === "both" && [...waiting.values()].every((other) => other === "both")) return;
      for (const parent of this.parents(commit)) {
        const known = waiting.get(parent) ?? of;
        waiting.set(parent, known === of ? of : "both");
      }
    }
  }

  #youngest(commits: Iterable<Commit>): Commit {
    let found: { commit: Commit; seq: number } | undefined;
    for (const commit of commits) {
      const { seq } = this.#facts(commit);
      if (found === undefined || seq > found.seq) found = { commit, seq };
    }
    assert(found !== undefined, "the youngest of no commits");
    return found.commit;
  }

  isOnFirstParents(target: Commit, commit: Commit): boolean {
    for (let at: Commit | undefined = target; at !== undefined; at = this.parents(at)[0]) {
      if (at === commit) return true;
    }
    return false;
  }

  /** How many commits `head` has that `target` lacks. */
  ahead(head: Commit, target: Commit): number {
    let count = 0;
    for (const { of } of this.#downFrom(head, target)) if (of === "first") count += 1;
    return count;
  }

  /** Commits that `onto` has and `head` lacks and that change these files, the youngest first. */
  changedBy(request: { onto: Commit; head: Commit; files: string[]; limit: number }) {
    const found: { commit: Commit; subject: string }[] = [];
    for (const { commit, of } of this.#downFrom(request.onto, request.head)) {
      const [parent, ...others] = this.parents(commit);
      if (of !== "first" || others.length > 0 || parent === undefined) continue;
      const [before, after] = [this.files(parent), this.files(commit)];
      if (!request.files.some((file) => before.get(file) !== after.get(file))) continue;
      found.push({ commit, subject: this.#facts(commit).message });
    }
    return found.slice(0, request.limit);
  }

  merge(ours: Commit, theirs: Commit): Merged {
    return this.mergeFiles(this.files(this.mergeBase(ours, theirs)), {
      ours: this.files(ours),
      theirs: this.files(theirs),
    });
  }

  mergeFiles(base: Files, sides: { ours: Files; theirs: Files }): Merged {
    const { ours, theirs } = sides;
    const merged = new Map<string, string>();
    const conflicts: string[] = [];
    for (const file of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
      const [before, mine, other] = [base.get(file), ours.get(file), theirs.get(file)];
      if (mine !== other && mine !== before && other !== before) conflicts.push(file);
      const text = mine === before ? other : mine;
      if (text !== undefined) merged.set(file, text);
    }
    if (conflicts.length > 0) return { kind: "conflict", files: conflicts.toSorted() };
    return { kind: "clean", tree: this.tree(merged) };
  }

  #facts(commit: Commit): CommitFacts {
    const facts = this.#commits.get(commit);
    assert(facts !== undefined, `no commit ${commit} in the simulated repository`);
    return facts;
  }
}
