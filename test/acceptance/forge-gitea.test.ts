// A project on a forge, end to end, against the fake Gitea (the same story runs on a real one in
// test/gitea): issues there → agents → PRs → statuses → landed → PRs merged, issues closed.
import { expect, test } from "vitest";
import { makeForgeFactory, work } from "../support/forge-factory.ts";

test("issues on a forge become merged PRs", async () => {
  await using factory = await makeForgeFactory();
  for (const name of ["one", "two"]) await factory.fileIssue(`Add ${name}`, work(name));
  await factory.ok("run", "--until-idle");
  const { issues, comments } = factory.fake.state;
  const shown = issues.map(({ number, state, labels, pr }) => ({
    number,
    state,
    labels: labels.map(({ name }) => name),
    merged: pr?.merged,
  }));
  expect(shown).toEqual([
    { number: 1, state: "closed", labels: [], merged: undefined },
    { number: 2, state: "closed", labels: [], merged: undefined },
    { number: 3, state: "closed", labels: [], merged: true },
    { number: 4, state: "closed", labels: [], merged: true },
  ]);
  expect(comments).toEqual([]);
  const { runs } = await factory.status();
  expect(runs.map((run) => run.outcome)).toEqual(["landed", "landed"]);
  expect(factory.gitIn(factory.bare, "ls-tree", "--name-only", "main")).toContain("two.txt");
  expect(factory.gitIn(factory.bare, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe(
    "refs/heads/main",
  );
});
