// Pawl is killed at every single change it makes on a forge: before it is sent, after it is sent
// and before its answer is read, and after the answer. Nothing is made twice, nothing is lost.
import { expect, test } from "vitest";
import { makeForgeFactory, work } from "../support/forge-factory.ts";

const KILLED = -1;
const DEATHS_MAX = 80;

/**
 * With the count 1, each new process dies at its first change, so that every change is died at in
 * turn; before sending it is 2, because a process that never sends anything never gets on.
 */
test.each([
  ["forge.http.send", 2],
  ["forge.http.sent", 1],
  ["forge.http.answered", 1],
])("killed at %s of every change, Pawl makes everything once", async (point, count) => {
  await using factory = await makeForgeFactory();
  await factory.fileIssue("Add one", work("one"));
  factory.env["PAWL_CRASH_AT"] = `${point}:${count}`;
  let deaths = 0;
  for (;;) {
    const { code, stderr } = await factory.background("run", "--until-idle").ended;
    if (code === 0) break;
    expect({ code, stderr }).toMatchObject({ code: KILLED });
    deaths += 1;
    if (deaths > DEATHS_MAX) throw new Error("it dies again and again, and gets nowhere");
  }
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
  expect(factory.leftovers()).toEqual([]);
});
