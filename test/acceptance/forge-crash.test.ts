// Pawl is killed at every single change it makes on a forge: before it is sent, after it is sent
// and before its answer is read, and after the answer. Nothing is made twice, nothing is lost.
import { expect, test } from "vitest";
import { dieUntilIdle, DEATHS } from "../support/deaths.ts";
import { makeForgeFactory, work } from "../support/forge-factory.ts";

const DEATHS_MAX = 80;

test.each(DEATHS)(
  "killed at %s of every change, Pawl makes everything once",
  async (point, count) => {
    await using factory = await makeForgeFactory();
    await factory.fileIssue("Add one", work("one"));
    const deaths = await dieUntilIdle(factory, { point, count, deathsMax: DEATHS_MAX });
    const { fake } = factory;
    const changes = fake.seen.filter((call) => !call.startsWith("GET"));
    // What the test itself asked for, and labels that were there, are not Pawl's.
    expect(deaths).toBeGreaterThanOrEqual(8);
    const { issues, comments, reviews, statuses, labels } = fake.state;
    expect(
      issues.map(({ state, labels: on, pr }) => [state, on.length, pr?.merged]),
      changes.join("\n"),
    ).toEqual([
      ["closed", 0, undefined],
      ["closed", 0, true],
    ]);
    expect(comments).toEqual([]);
    expect(reviews).toEqual([]);
    expect(statuses.map(({ context, state }) => [context, state])).toEqual([
      ["pawl/ci", "pending"],
      ["pawl/ci", "success"],
    ]);
    const names = labels.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(factory.gitIn(factory.bare, "rev-list", "--count", "--no-merges", "main")).toBe("3");
    await factory.nothingLeft();
  },
);
