// A branch that has landed and still exists: queued again by mistake it is refused, and with new
// commits it lands again. What landed stays on record.
import { expect, test } from "vitest";
import type { StatusView } from "../../src/api/runs.ts";
import { branch, landAll, list, makeQueue } from "../support/queue-cli.ts";

test("a branch that has landed already is refused, and stays on record as landed", async () => {
  await using factory = await makeQueue();
  const mine = branch(factory, "mine", { "mine.txt": "1\n" });
  const other = branch(factory, "other", { "other.txt": "1\n" });
  await landAll(factory, "mine", "other");
  factory.git("branch", "mine", mine);
  factory.git("branch", "other", other);
  const record = await list(factory, "--state", "all");
  const landedAs = (name: string) =>
    record.find((entry) => entry.branch === name)?.merged_as?.slice(0, 10);

  const again = await factory.pawl("merge-queue", "add", "mine");
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toContain(
    `cannot queue mine: it has landed already as ${landedAs("mine")} (entry e1)\n`,
  );
  expect(again.stderr).toContain("`pawl merge-queue explain e1`");
  // This one was rebased: its commit is not on the target.
  const both = await factory.pawl("merge-queue", "add", "mine", "other");
  expect(both).toMatchObject({ code: 1, stdout: "" });
  expect(both.stderr).toContain(`other: it has landed already as ${landedAs("other")} (entry e2)`);
  expect(await list(factory, "--state", "all")).toEqual(record);
  expect(await factory.ok("status")).toContain("mine");
});

test("of several branches, those that have not landed are queued", async () => {
  await using factory = await makeQueue();
  const mine = branch(factory, "mine", { "mine.txt": "1\n" });
  await landAll(factory, "mine");
  factory.git("branch", "mine", mine);
  branch(factory, "next", { "next.txt": "1\n" });
  const { code, stderr } = await factory.pawl("merge-queue", "add", "mine", "next");
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/queued next at [^]*cannot queue mine: it has landed already as /);
  expect(await list(factory)).toMatchObject([{ branch: "next", status: "queued" }]);
});

test("a branch that Pawl removed when it landed is named with its entry, and the others are queued", async () => {
  await using factory = await makeQueue();
  branch(factory, "mine", { "mine.txt": "1\n" });
  await landAll(factory, "mine");
  expect(factory.git("branch", "--list", "mine")).toBe("");
  const alone = await factory.pawl("merge-queue", "add", "mine");
  expect(alone).toMatchObject({ code: 1, stdout: "" });
  expect(alone.stderr).toMatch(/cannot queue mine: it has landed already as \w{10} \(entry e1\)\n/);
  expect(alone.stderr).toContain("`pawl merge-queue explain e1`");
  branch(factory, "next", { "next.txt": "1\n" });
  const { code, stderr } = await factory.pawl("merge-queue", "add", "mine", "next");
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/queued next at [^]*cannot queue mine: it has landed already as /);
  expect(await list(factory)).toMatchObject([{ branch: "next", status: "queued" }]);

  // What was taken off the target again has not landed.
  factory.git("reset", "-q", "--hard", "HEAD~1");
  const reset = await factory.pawl("merge-queue", "add", "mine");
  expect(reset.stderr).toContain("neither upstream nor your repository has it");
});

test("a landing stays on record when its branch is queued again with new commits", async () => {
  await using factory = await makeQueue();
  const mine = branch(factory, "mine", { "mine.txt": "1\n" });
  await landAll(factory, "mine");
  factory.git("checkout", "-q", "-b", "mine", mine);
  factory.commit({ "more.txt": "1\n" }, "More of mine");
  factory.git("checkout", "-q", "main");
  await factory.ok("merge-queue", "add", "mine");
  const standing = async () =>
    (await list(factory, "--state", "all")).map(({ id, status }) => `e${id} ${status}`);
  expect(await standing()).toEqual(["e2 queued", "e1 merged"]);
  // What was tested were other commits.
  expect((await factory.pawl("ci", "status", "mine")).code).toBe(8);
  expect((await factory.pawl("ci", "status", "e1")).code).toBe(0);
  expect(await factory.ok("merge-queue", "explain", "e1")).toContain("queued as e1");
  const { landed } = JSON.parse(await factory.ok("status", "--json")) as StatusView;
  expect(landed).toMatchObject([{ branch: "mine" }]);

  await factory.ok("merge-queue", "remove", "mine");
  expect(await standing()).toEqual(["e2 withdrawn", "e1 merged"]);
  await factory.ok("merge-queue", "add", "mine");
  expect((await factory.pawl("merge-queue", "process")).code).toBe(0);
  expect(await standing()).toEqual(["e3 merged", "e1 merged"]);
  expect(factory.subjects()).toEqual(["Work of mine", "More of mine"]);
  expect(await factory.ok("why", "e1")).toContain("queued as e1");
});

test("what was taken off the target again can be queued again", async () => {
  await using factory = await makeQueue();
  const mine = branch(factory, "mine", { "mine.txt": "1\n" });
  await landAll(factory, "mine");
  factory.git("branch", "mine", mine);
  factory.git("reset", "-q", "--hard", "HEAD~1");
  await factory.ok("merge-queue", "add", "mine");
  expect((await factory.pawl("merge-queue", "process")).code).toBe(0);
  expect(factory.subjects()).toEqual(["Work of mine"]);
});

test("a branch without changes of its own is sent back with the command that removes it", async () => {
  await using factory = await makeQueue();
  factory.git("branch", "empty");
  await factory.ok("merge-queue", "add", "empty");
  const { code, stdout } = await factory.pawl("merge-queue", "process");
  expect(code).toBe(1);
  expect(stdout).toContain("the branch empty has no changes that are not on the target already");
  expect(stdout).toContain("`pawl merge-queue remove empty`");
  expect(stdout).not.toContain("fix the branch");
  expect(await factory.ok("status")).toContain("pawl merge-queue remove empty");
});

test("a second process names the first one, and how to end it", async () => {
  await using factory = await makeQueue("", 'while [ ! -e "$HOME/go" ]; do sleep 0.1; done\n');
  branch(factory, "slow", { "slow.txt": "1\n" });
  await factory.ok("merge-queue", "add", "slow");
  const first = factory.background("merge-queue", "process");
  await factory.until("it is being tested", async () =>
    (await list(factory)).some(({ status }) => status === "testing"),
  );
  const { code, stderr } = await factory.pawl("merge-queue", "process");
  expect(code).toBe(1);
  expect(stderr).toContain(`in use by pid ${first.pid} on `);
  expect(stderr).toContain("(`pawl merge-queue process`, version ");
  expect(stderr).toContain(`or \`kill ${first.pid}\``);
  expect(stderr).not.toContain("pawl down");
  factory.write({ "../user/go": "" });
  expect((await first.ended).code).toBe(0);
});
