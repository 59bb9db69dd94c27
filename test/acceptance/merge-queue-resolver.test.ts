// `[merge_queue] resolve`: a program resolves conflicts that git cannot, and what it makes is tested,
// marked and landed like any other candidate. What it cannot resolve goes back to its author.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findMergiraf } from "../support/mergiraf.ts";
import { makeFactory, SCRIPT_AGENT, writeFiles, type Factory } from "../support/pawl.ts";
import { branch, gateRuns, GATE, list, makeQueue } from "../support/queue-cli.ts";

/** Keeps both sides: removes the marks, and the base between them. */
const BOTH = `#!/bin/sh
sed -i -e '/^|||||||/,/^=======/d' -e '/^<<<<<<</d' -e '/^>>>>>>>/d' "$1"
`;

const config = (...argv: string[]): string =>
  `[merge_queue]\nresolve = ${JSON.stringify([...argv, "{file}"])}\n`;

/** A queue whose resolver is this script, outside the repository. */
async function withResolver(script: string, more = ""): Promise<Factory> {
  const factory = await makeQueue(`${config("sh", "RESOLVER")}${more}`);
  writeFiles(factory.root, { "resolver.sh": script });
  const path = join(factory.root, "resolver.sh");
  const text = factory.read("repo", "pawl.toml").replace("RESOLVER", path);
  factory.commit({ "pawl.toml": text }, "Name the resolver");
  return factory;
}

async function conflicting(factory: Factory, names: string[]): Promise<void> {
  for (const name of names) branch(factory, name, { "same.txt": `${name}\n` });
  await factory.ok("merge-queue", "add", ...names);
}

test.each(["rebase", "merge", "squash"])(
  "with the strategy %s conflicting branches land without their authors, marked in the list, in explain and in the commit",
  async (strategy) => {
    await using factory = await withResolver(BOTH, `[merge]\nstrategy = "${strategy}"\n`);
    await conflicting(factory, ["first", "second", "third"]);
    const done = await factory.pawl("merge-queue", "process", "--all");
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    expect(factory.read("repo", "same.txt")).toBe("first\nsecond\nthird\n");
    const [third, , first] = await list(factory, "--all");
    expect(first).toMatchObject({ branch: "first", resolved_by: null, resolved_files: [] });
    expect(third).toMatchObject({ status: "merged", resolved_by: "sh" });
    expect(third?.resolved_files).toEqual(["same.txt"]);
    const why = await factory.ok("merge-queue", "explain", "third");
    expect(why).toContain("conflicts in same.txt were resolved by sh");
    expect(factory.git("log", "-1", "--format=%(trailers)", "main")).toBe("Resolved-by: sh");
    // One by one it would be three: what was resolved in a batch is tested in a batch.
    expect(gateRuns(factory)).toBeLessThanOrEqual(3);
  },
);

test("what the resolver makes must pass the gates: red, it goes back to its author as a conflict", async () => {
  await using factory = await withResolver(`${BOTH}echo BROKEN > "$1"\n`);
  factory.commit({ "test.sh": `! grep -q BROKEN same.txt\n` }, "A gate");
  await conflicting(factory, ["first", "second"]);
  const done = await factory.pawl("merge-queue", "process", "--all");
  expect(done.code, done.stdout + done.stderr).toBe(1);
  expect(await list(factory)).toMatchObject([
    { branch: "second", status: "returned", conflict_files: ["same.txt"], resolved_by: "sh" },
  ]);
  const why = await factory.ok("merge-queue", "explain", "second");
  expect(why).toMatch(/not resolved: \S+ fails with the conflict resolution of sh/);
  expect(factory.read("repo", "same.txt")).toBe("first\n");
});

test.each([
  ["leaves marks", "true\n", /left conflict marks in same.txt/],
  ["fails", "echo cannot parse >&2\nexit 3\n", /cannot parse/],
  ["removes the file", 'rm "$1"\n', /left no file/],
  ["makes a link of it", 'rm "$1"\nln -s /etc/passwd "$1"\n', /left no file/],
  ["says too much", "yes\n", /more than 1 MiB/],
])("a resolver that %s sends the entry back to its author", async (_what, script, why) => {
  await using factory = await withResolver(script);
  await conflicting(factory, ["first", "second"]);
  expect((await factory.pawl("merge-queue", "process", "--all")).code).toBe(1);
  expect(await list(factory)).toMatchObject([
    { branch: "second", conflict_files: ["same.txt"], reason: expect.stringMatching(why) },
  ]);
  expect(gateRuns(factory)).toBe(1);
  expect(factory.read("repo", "same.txt")).toBe("first\n");
});

test("files that one side deleted or that are binary are not given to the resolver", async () => {
  await using factory = await withResolver('echo "$1" >> "${0%/*}/asked"\nexit 1\n');
  factory.commit({ "gone.txt": "1\n", "image.bin": "\0\x01" }, "Files");
  branch(factory, "first", { "gone.txt": "2\n", "image.bin": "\0\x02" });
  factory.git("checkout", "-q", "-b", "second");
  factory.git("rm", "-q", "gone.txt");
  factory.git("commit", "-q", "-m", "Remove it");
  factory.git("checkout", "-q", "main");
  branch(factory, "third", { "image.bin": "\0\x03" });
  await factory.ok("merge-queue", "add", "first", "second", "third");
  expect((await factory.pawl("merge-queue", "process", "--all")).code).toBe(1);
  expect((await list(factory)).map((entry) => entry.branch).toSorted()).toEqual([
    "second",
    "third",
  ]);
  expect(existsSync(join(factory.root, "asked"))).toBe(false);
});

test("the resolver sees no variable of the daemon's environment, and nothing of the hub", async () => {
  await using factory = await withResolver(
    `env > "\${0%/*}/env"\ngit rev-parse --git-dir > "\${0%/*}/git" 2>&1\n${BOTH}`,
  );
  await conflicting(factory, ["first", "second"]);
  factory.env["MY_TOKEN"] = "secret";
  const done = await factory.pawl("merge-queue", "process", "--all");
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(factory.read("env")).not.toMatch(/MY_TOKEN|PAWL|secret/);
  expect(factory.read("git")).toContain("not a git repository");
});

test("a program that is not there is a warning of `config check` and a finding of doctor, and entries go back", async () => {
  await using factory = await makeQueue(config("no-such-resolver"));
  const checked = await factory.pawl("config", "check");
  expect(checked.stdout + checked.stderr).toMatch(
    /merge_queue\.resolve: there is no program no-such-resolver/,
  );
  await conflicting(factory, ["first", "second"]);
  expect((await factory.pawl("merge-queue", "process", "--all")).code).toBe(1);
  const [second] = await list(factory);
  expect(second).toMatchObject({ branch: "second", conflict_files: ["same.txt"] });
  expect(second?.reason).toContain("no-such-resolver");
  expect((await factory.pawl("doctor")).stdout).toMatch(/no-such-resolver/);
});

test("mergiraf 0.20.0 merges two features of one file that git cannot", async (context) => {
  const program = findMergiraf();
  if (program === undefined) return context.skip();
  const make = (...methods: string[]): string =>
    `class Shape:\n${methods.map((name) => `    def ${name}(self):\n        return 1\n`).join("\n")}`;
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}[ci]\ncommand = "sh test.sh"\n${config(program, "solve")}`,
    files: { "test.sh": GATE, "shape.py": make("area") },
  });
  for (const name of ["width", "height"]) {
    branch(factory, name, { "shape.py": make("area", name) });
  }
  await factory.ok("merge-queue", "add", "width", "height");
  const done = await factory.pawl("merge-queue", "process", "--all");
  expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
  const text = factory.read("repo", "shape.py");
  for (const name of ["area", "width", "height"]) expect(text).toContain(`def ${name}(self)`);
  const why = await factory.ok("merge-queue", "explain", "height");
  expect(why).toContain("conflicts in shape.py were resolved by mergiraf");
  expect(factory.git("log", "-1", "--format=%(trailers)", "main")).toBe("Resolved-by: mergiraf");
});
