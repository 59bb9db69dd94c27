// How people call an entry of the merge queue, and how the queue calls what it did: by issue, branch
// or entry, never by another one's number.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { branch, GATE, landAll, list, makeQueue } from "../support/queue-cli.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";
import { openPty } from "../support/pty.ts";

const block = (script: string): string => `\`\`\`sh\n${script}\n\`\`\`\n`;

test("a number is an issue's for `explain` and `why`, never another one's entry; `e2` is the entry", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}[ci]\ncommand = "sh test.sh"\n${LIMITS}`,
    files: { "test.sh": GATE },
  });
  await factory.ok("merge-queue", "pause", "--why", "until both are there");
  const go = join(factory.root, "go");
  const wait = `until [ -e ${go} ]; do sleep 0.1; done\necho 1 > later.txt`;
  await factory.addIssue({ title: "Later", body: block(wait) });
  await factory.addIssue({ title: "First", body: block("echo 1 > first.txt") });
  await factory.ok("up");
  await factory.until("#2 is queued", async () => (await list(factory)).length === 1);

  // Entry 1 is the one of issue 2, and issue 1 has none yet.
  expect(await factory.ok("why", "1")).not.toContain("pawl/2-first");
  expect(await factory.ok("why", "2")).toContain("merge queue: pawl/2-first");
  expect(await factory.ok("why", "e1")).toContain("merge queue: pawl/2-first");
  const other = await factory.pawl("merge-queue", "explain", "1");
  expect(other).toMatchObject({ code: 1, stdout: "" });
  expect(other.stderr).toContain("#1 is not in the merge queue; entry 1 belongs to #2");
  for (const name of ["2", "#2", "e1", "pawl/2-first"]) {
    expect(await factory.ok("merge-queue", "explain", name)).toMatch(/^pawl\/2-first at .*as e1 /);
  }
  expect(await factory.ok("merge-queue", "list")).toMatch(/^e1\tpawl\/2-first/);

  writeFileSync(go, "");
  await factory.ok("merge-queue", "resume");
  await factory.until("both have landed", async () =>
    (await factory.status()).runs.every(({ outcome }) => outcome === "landed"),
  );
  expect(await factory.ok("merge-queue", "explain", "1")).toMatch(/^pawl\/1-later .*as e2 /);
  expect(await factory.ok("merge-queue", "explain", "2")).toMatch(/^pawl\/2-first .*as e1 /);
  expect(await factory.ok("merge-queue", "explain", "e2")).toMatch(/^pawl\/1-later /);
});

test("each entry of a batch names the commit that it landed as", async () => {
  await using factory = await makeQueue();
  branch(factory, "a", { "a.txt": "a\n" });
  branch(factory, "b", { "b.txt": "b\n" });
  const { stdout, entries } = await landAll(factory, "a", "b");
  const commit = (subject: string): string =>
    factory.git("log", "-1", "--format=%H", `--grep=^${subject}$`, "main");
  const as = Object.fromEntries(entries.map((one) => [one.branch, one.merged_as]));
  expect(as).toEqual({ a: commit("Work of a"), b: commit("Work of b") });
  expect(stdout).toContain(`a  landed as ${commit("Work of a").slice(0, 10)}`);
  const why = await factory.ok("merge-queue", "explain", "a");
  expect(why).toContain(`landed as ${commit("Work of a").slice(0, 10)}`);
});

test("a local branch that was removed after landing is named, with the way to make it again", async () => {
  await using factory = await makeQueue();
  const head = branch(factory, "feature/x", { "x.txt": "x\n" });
  const { stderr } = await landAll(factory, "feature/x");
  const again = `\`git branch feature/x ${head.slice(0, 10)}\``;
  expect(stderr).toContain(`removed your branch feature/x, which has landed; ${again} restores it`);
  expect(await factory.ok("merge-queue", "explain", "feature/x")).toContain(again);
});

test("beside a daemon, which removes the branch a moment after the landing, it is named too", async () => {
  // The daemon must not have landed it before anyone watches.
  await using factory = await makeQueue("", `until [ -e "$HOME/go" ]; do sleep 0.1; done\n${GATE}`);
  await factory.ok("up");
  for (const name of ["one", "two", "three"]) {
    const head = branch(factory, name, { [`${name}.txt`]: "x\n" });
    await factory.ok("merge-queue", "add", name);
    using pty = openPty(factory, { columns: 160, rows: 24 }, ["merge-queue", "process"]);
    const shows = (text: string) => async () => pty.screen().join("\n").includes(text);
    await factory.until("process watches the entry", shows(`1 entry in the queue`));
    writeFileSync(join(factory.root, "user", "go"), "");
    await factory.until("process has ended", shows("EXIT 0"));
    const again = `\`git branch ${name} ${head.slice(0, 10)}\``;
    const told = `removed your branch ${name}, which has landed; ${again} restores it`;
    expect(pty.screen().join("\n")).toContain(told);
    rmSync(join(factory.root, "user", "go"));
  }
});

test("`explain` names the entry that an entry conflicts with, not those that it was stacked on", async () => {
  await using factory = await makeQueue();
  const lines = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ""];
  const change = (number: number, text: string): Record<string, string> => ({
    "list.txt": lines.with(number, text).join("\n"),
  });
  factory.commit({ "list.txt": lines.join("\n") }, "A list");
  branch(factory, "unrelated", { "other.txt": "1\n" });
  branch(factory, "top", change(0, "top"));
  // Each of its commits is put on top: the first does not fit, though all of them together would.
  branch(factory, "again", change(0, "again"));
  factory.git("checkout", "-q", "again");
  factory.commit(change(0, "1"), "Not there after all");
  factory.commit(change(8, "end"), "At the end instead");
  factory.git("checkout", "-q", "main");
  for (const name of ["unrelated", "top", "again"]) await factory.ok("merge-queue", "add", name);
  expect((await factory.pawl("merge-queue", "process", "--all")).code).toBe(1);
  const why = await factory.ok("merge-queue", "explain", "again");
  expect(why).toContain("conflicts with e2 (top): list.txt");
  expect(why).toMatch(
    /sent back: conflicts with the target in list\.txt, changed there by [0-9a-f]{10} "Work of top" \(e2, top\)/,
  );
  expect(why).not.toContain("unrelated");
});
