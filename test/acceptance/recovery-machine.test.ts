// A lost machine whose checkpoints were copied to a private remote: another one goes on from there.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentOf, untidyFactory } from "../support/untidy-agent.ts";

test("a new machine takes up the work of a lost one from its checkpoint remote", async () => {
  await using factory = await untidyFactory();
  const backup = join(factory.root, "backup.git");
  factory.gitIn(factory.root, "init", "-q", "--bare", backup);
  const config = factory.git("show", "main:pawl.toml");
  factory.commit({ "pawl.toml": `${config}\n[checkpoints]\npush = "${backup}"\n` }, "Copy them");
  await factory.ok("up");
  const run = await factory.untidy();
  const before = contentOf(run.worktree_path);
  const there = (path: string): boolean =>
    factory
      .gitIn(backup, "ls-tree", "-r", "--name-only", "refs/pawl/checkpoints/dev-1")
      .split("\n")
      .includes(path);
  await factory.until("the copy has arrived", async () => there("closed.txt"));

  // Everything of Pawl's is gone; the repository is on another machine, with the same issue.
  await factory.ok("down", "--kill-agents");
  await factory.until("nothing runs", async () => factory.leftovers().length === 0);
  rmSync(factory.home, { recursive: true });
  for (const name of ["untidy", "started-1", "child"]) rmSync(join(factory.root, name));
  const recovered = await factory.ok("recover", "--from", backup, "--json");
  expect(JSON.parse(recovered)).toMatchObject([
    { identity: "dev-1", branch: run.branch, kind: "fetched" },
  ]);
  expect((await factory.ok("checkpoint", "list", "dev-1")).split("\n").length).toBeGreaterThan(0);

  // A first life here finds what the last one there had written.
  await factory.addIssue({ title: "Do everything at once" });
  await factory.ok("up");
  await factory.until("the new life works", async () => factory.seen("started-1"));
  const unsaved = new Set(["pipe", "huge.bin", "closed.txt"]);
  const now = contentOf((await factory.runOf(1)).worktree_path);
  const saved = Object.entries(before).filter(([path]) => !unsaved.has(path));
  expect(now).toMatchObject(Object.fromEntries(saved));
  expect(await factory.runOf(1)).toMatchObject({ outcome: null, epoch: 1 });
});
