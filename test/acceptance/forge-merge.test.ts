// A target that no account may push to, and that the forge itself merges into: what lands is exactly what
// was tested, one PR at a time. Where the forge could merge something else, nothing lands, and status
// says what to do. The same story runs on a real Gitea in test/gitea.
import { expect, test } from "vitest";
import { makeForgeFactory, work } from "../support/forge-factory.ts";

test("a target that refuses pushes is landed on by the forge's own merge of what was tested", async () => {
  await using factory = await makeForgeFactory({ isProtected: true });
  const { fake, bare } = factory;
  Object.assign(fake.state.rule, { push: false, blockOutdated: true });
  fake.state.required = ["pawl/ci"];
  for (const name of ["one", "two"]) await factory.fileIssue(`Add ${name}`, work(name));
  await factory.ok("run", "--until-idle");
  const { runs } = await factory.status();
  expect(runs.map(({ outcome }) => outcome)).toEqual(["landed", "landed"]);
  const { issues, comments, statuses } = fake.state;
  expect(issues.map(({ state, labels, pr }) => [state, labels.length, pr?.merged])).toEqual([
    ["closed", 0, undefined],
    ["closed", 0, undefined],
    ["closed", 0, true],
    ["closed", 0, true],
  ]);
  expect(comments).toEqual([]);
  // Each commit that main ever had is one that was tested: it carries the word of the gates.
  const had = factory
    .gitIn(bare, "rev-list", "--first-parent", "--max-count=2", "main")
    .split("\n");
  const green = statuses.filter(({ state }) => state === "success").map(({ commit }) => commit);
  for (const commit of had) expect(green).toContain(commit);
  expect(issues.flatMap(({ pr }) => pr?.mergedAs ?? []).toSorted()).toEqual(had.toSorted());
  expect(factory.gitIn(bare, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe(
    "refs/heads/main",
  );
});
