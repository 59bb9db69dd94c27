// The merge queue and work that is out to get past it: spoiled checkouts, files of the gates, size.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFactory } from "../support/pawl.ts";
import { branch, landAll, makeQueue } from "../support/queue-cli.ts";

test("a gate that moves a tracked folder away and links it back does not let the next branch land red", async () => {
  await using factory = await makeQueue();
  const cache = join(factory.root, "cache");
  const gate =
    'for f in content/*.txt; do [ -e "$f" ] || continue; grep -q "$(cat version.txt)" "$f" || exit 1; done\n';
  const files = { "version.txt": "one\n", "content/a.txt": "one\n", "test.sh": gate };
  factory.commit(files, "Every file names the version");
  const trick = `if [ -d content ] && [ ! -L content ]; then rm -rf ${cache}; mv content ${cache}; ln -s ${cache} content; fi\n`;
  branch(factory, "cached", { "test.sh": `${gate}${trick}` });
  expect((await landAll(factory, "cached")).status).toEqual({ cached: "merged" });
  expect(existsSync(cache)).toBe(true);
  branch(factory, "red", { "version.txt": "two\n" });
  expect((await landAll(factory, "red")).status).toMatchObject({ red: "returned" });
  expect(factory.git("show", "main:version.txt")).toBe("one");
});

test("a branch that changes a protected file waits for approval, and lands once it has it", async () => {
  await using factory = await makeQueue('[merge_queue]\nprotected = ["test.sh", ".github/**"]\n');
  branch(factory, "cheat", { "test.sh": "exit 0\n", "red.txt": "1\n" });
  branch(factory, "workflow", { ".github/workflows/ci.yml": "on: push\n" });
  branch(factory, "plain", { "plain.txt": "1\n" });
  const { code, status, stderr } = await landAll(factory, "cheat", "workflow", "plain");
  expect(code, stderr).toBe(8);
  expect(status).toMatchObject({ plain: "merged" });
  expect([status["cheat"], status["workflow"]]).not.toContain("merged");
  expect(stderr).toContain(
    "it changes test.sh: you must approve it\n    pawl merge-queue approve e1\n",
  );
  const { waits } = await factory.status();
  expect(waits).toMatchObject([
    { about: "cheat", command: "pawl merge-queue approve e1" },
    { about: "workflow", command: "pawl merge-queue approve e2" },
  ]);
  expect(factory.git("show", "main:test.sh")).not.toBe("exit 0");
  expect(factory.subjects()).toEqual(["Work of plain"]);

  const { stderr: said } = await factory.pawl("merge-queue", "approve", "workflow");
  expect(said).toMatch(/^workflow at \w+ may now change \.github\/workflows\/ci\.yml/m);
  expect((await landAll(factory)).status).toMatchObject({ workflow: "merged" });
  expect(factory.subjects()).toEqual(["Work of plain", "Work of workflow"]);
});

test("init proposes to protect the file that the gate is", async () => {
  await using factory = await makeFactory();
  await factory.ok("init", "--yes");
  expect(factory.read("repo", "pawl.toml")).toContain('protected = ["test.sh"]');
});

test("a branch that a person queues is refused above the size limit, as an agent's is", async () => {
  await using factory = await makeQueue("branch_mb = 1\n");
  branch(factory, "large", { "large.txt": randomBytes(1_500_000).toString("base64") });
  branch(factory, "small", { "small.txt": "1\n" });
  const refused = await factory.pawl("merge-queue", "add", "large");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("cannot queue large: it adds 2 MB to the repository");
  expect(refused.stderr).toContain("branch_mb");
  expect((await landAll(factory, "small")).status).toEqual({ small: "merged" });
});
