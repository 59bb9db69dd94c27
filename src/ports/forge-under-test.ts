// A forge as its contract suite sees it, and what its tests make there.
import type { Commit } from "../core/ids.ts";
import type { Forge } from "./forge.ts";

export type ForgeUnderTest = {
  forge: Forge;
  /** Makes a new commit on this branch where the forge can see it. */
  push(branch: string): Promise<Commit>;
  /** Makes the commit part of the target, as a landing does, where the forge can see it. */
  land(commit: Commit): Promise<void>;
  /** Another factory on the same forge, with the same account; none where only one can be there. */
  sibling?(marks: { id: string; home: string }): Forge;
  close(): Promise<void>;
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
