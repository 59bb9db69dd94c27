// Checkpoints of what a watch saw change: the same tree as a look at every file gives.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitProject } from "../support/git-project.ts";

const identity = "dev-1";

async function watched() {
  const project = gitProject("local");
  const from = await project.pawl.fetchTarget();
  const workspace = project.workspace(identity);
  await project.pawl.prepareWorkspace({ path: workspace, branch: "pawl/1", from });
  const begun = Promise.withResolvers<void>();
  const watch = project.checkpoints.watch({ workspace, onChange: () => begun.resolve() });
  await begun.promise;
  const save = (quick: boolean) =>
    project.pawl.checkpoint({
      workspace,
      identity,
      reason: "test",
      ...(quick ? { quick: true as const } : {}),
    });
  await save(true);
  return {
    project,
    workspace,
    save,
    at: (path: string): string => join(workspace, path),
    [Symbol.dispose]: () => {
      watch.close();
      project[Symbol.dispose]();
    },
  };
}

test.each<[what: string, change: (at: (path: string) => string) => void]>([
  ["a changed file", (at) => writeFileSync(at("a.txt"), "2\n")],
  ["a new file", (at) => writeFileSync(at("dir/new.txt"), "n\n")],
  ["a removed file", (at) => rmSync(at("b.txt"))],
  ["a removed folder", (at) => rmSync(at("dir"), { recursive: true })],
  ["a renamed folder", (at) => renameSync(at("dir"), at("other"))],
  [
    "a file in the place of a folder",
    (at) => {
      rmSync(at("dir"), { recursive: true });
      writeFileSync(at("dir"), "file\n");
    },
  ],
  [
    "a link in the place of a folder",
    (at) => {
      renameSync(at("dir"), at("moved"));
      symlinkSync("moved", at("dir"));
    },
  ],
  [
    "a new folder with files",
    (at) => {
      mkdirSync(at("x/y"), { recursive: true });
      writeFileSync(at("x/y/z.txt"), "z\n");
    },
  ],
  ["a name with a pattern in it", (at) => writeFileSync(at("[ab]*.txt"), "p\n")],
  [
    "a rule that ignores a new file",
    (at) => {
      writeFileSync(at("n.log"), "ignored\n");
      writeFileSync(at(".gitignore"), "*.log\n");
    },
  ],
])("%s is saved as a look at everything saves it", async (_, change) => {
  using place = await watched();
  change(place.at);
  const quick = await place.save(true);
  expect(quick.kind).toBe("saved");
  expect(await place.save(false)).toMatchObject({ kind: "unchanged" });
});

test("a commit without a change of files is saved, too", async () => {
  using place = await watched();
  place.project.git(place.workspace, "commit", "-q", "--allow-empty", "-m", "empty");
  expect(await place.save(true)).toMatchObject({ kind: "saved" });
  expect(await place.save(true)).toMatchObject({ kind: "unchanged" });
});

test("a repository inside is found, saved and stays in the checkpoints that follow", async () => {
  using place = await watched();
  mkdirSync(place.at("inner"));
  place.project.git(place.at("inner"), "init", "-q");
  writeFileSync(place.at("inner/i.txt"), "i\n");
  expect(await place.save(true)).toMatchObject({ kind: "saved" });
  writeFileSync(place.at("a.txt"), "2\n");
  expect(await place.save(true)).toMatchObject({ kind: "saved" });
  expect(await place.save(false)).toMatchObject({ kind: "unchanged" });
});

test("what no event told of is found by the next look at everything", async () => {
  using place = await watched();
  // A folder that is not watched yet: its parent's event alone is known.
  mkdirSync(place.at("fresh"));
  await place.save(true);
  writeFileSync(place.at("fresh/late.txt"), "late\n");
  const outcome = await place.save(false);
  expect(outcome.kind).toBe("saved");
  expect(await place.save(true)).toMatchObject({ kind: "unchanged" });
});
