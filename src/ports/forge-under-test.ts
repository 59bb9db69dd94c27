// A forge as its contract suite sees it, and what its tests make there.
import type { Commit } from "../core/ids.ts";
import type { Forge } from "./forge.ts";

export type ForgeUnderTest = {
  forge: Forge;
  /** Makes a new commit on this branch where the forge can see it. */
  push(branch: string): Promise<Commit>;
  /** Makes the commit part of the target, as a landing does, where the forge can see it. */
  land(commit: Commit): Promise<void>;
  /** An account that may only read, comment and review; none where only Pawl and its user write. */
  stranger?: Stranger;
  /** Another factory on the same forge, with the same account; none where only one can be there. */
  sibling?(marks: { id: string; home: string }): Forge;
  close(): Promise<void>;
};

export type Stranger = {
  login: string;
  /** Every text that stands at this number, as it is stored: marks included. */
  texts(number: number): Promise<string[]>;
  comment(number: number, body: string): Promise<void>;
  /** A formal review that approves. */
  approve(pr: number, said: { head: Commit; body: string }): Promise<void>;
  /** The labels are asked for; the forge may leave them off. */
  fileIssue(issue: { title: string; body: string; labels: string[] }): Promise<number>;
  /** Of a branch of this name in a fork. */
  openPr(branch: string, body: string): Promise<number>;
};

export type Use = () => ForgeUnderTest;

export const newIssue = (key: string, labels: string[] = []) => ({
  title: `title of ${key}`,
  body: `body of ${key}`,
  labels,
  key,
  author: "ann",
});

export async function openPr(use: Use, branch: string, key = branch) {
  const head = await use().push(branch);
  const target = "main";
  return use().forge.ensurePr({ branch, head, target, title: branch, body: "", issue: 1, key });
}
