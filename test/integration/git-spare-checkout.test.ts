// A checkout that is made ahead of its check, while the one before it is in use.
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { commitId, type Commit } from "../../src/core/ids.ts";
import { gitProject, restarted, type GitProject } from "../support/git-project.ts";

/** Pawl judges by the size of git's index whether it is worth it: long names make it large. */
const FILES = 270;
const LONG = "n".repeat(150);
const nameOf = (index: number): string => `many/${index % 9}/${LONG}-${index}.txt`;

const manyFiles = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: FILES }, (_, index) => [nameOf(index), `${index}\n`]));

/** Every path with what it is, its mode and its content. */
function contentOf(root: string): string[] {
  const paths = readdirSync(root, { recursive: true }).map(String).toSorted();
  return paths.map((path) => {
    const full = join(root, path);
    const { mode } = lstatSync(full);
    const kind = mode.toString(8);
    if (lstatSync(full).isSymbolicLink()) return `${path} ${kind} -> ${readlinkSync(full)}`;
    return lstatSync(full).isDirectory()
      ? `${path} ${kind}`
      : `${path} ${kind} ${readFileSync(full, "latin1")}`;
  });
}

const sparesOf = (project: GitProject): string[] => {
  const folder = join(project.hub, "pawl", "checkouts");
  return readdirSync(folder)
    .filter((name) => /\.spare2?-index$/.test(name))
    .map((name) => join(folder, name.replace(/-index$/, "")));
};

/** The folder that waits for the next check; it is whole when it has its index. */
async function spareOf(project: GitProject): Promise<string> {
  await sparesMade(project, 1);
  return sparesOf(project)[0] ?? "";
}

/** Also at the end of a test: its folder cannot be removed while a git writes to it. */
async function sparesMade(project: GitProject, count: number): Promise<void> {
  await expect.poll(() => sparesOf(project), { timeout: 30_000 }).toHaveLength(count);
}

const request = (project: GitProject) => ({
  path: join(project.root, "checks", "1"),
  keep: [] as string[],
  history: false,
});

/** A target of many files, checked out once, spoiled as a gate may do it. */
async function used(project: GitProject) {
  project.write(project.user, { ...manyFiles(), ".gitignore": "*.log\n", "turns/into.txt": "1\n" });
  symlinkSync("a.txt", join(project.user, "link"));
  project.commit(project.user, {});
  const commit = await project.pawl.fetchTarget();
  const { path, ...more } = request(project);
  await project.pawl.checkout({ commit, path, ...more });
  project.write(path, { "a.txt": "spoiled\n", "left.log": "ignored\n", "many/0/new": "x\n" });
  rmSync(join(path, "many", "1"), { recursive: true });
  return { path, more };
}

test("a checkout made ahead becomes the next commit, like one made from nothing", async () => {
  using project = gitProject("local");
  const { path, more } = await used(project);
  const spare = await spareOf(project);
  const { ino } = lstatSync(join(spare, nameOf(3)));
  rmSync(join(project.user, "turns"), { recursive: true });
  rmSync(join(project.user, "many/5"), { recursive: true });
  rmSync(join(project.user, "link"));
  writeFileSync(join(project.user, "link"), "a file now\n");
  chmodSync(join(project.user, nameOf(4)), 0o755);
  const commit = project.commit(project.user, { turns: "a file now\n", "new/one.txt": "1\n" });
  await project.pawl.fetchTarget();
  const made = await project.pawl.checkout({ commit, path, ...more });
  expect(lstatSync(join(path, nameOf(3))).ino).toBe(ino);
  expect(made.tree).toBe(project.git(project.user, "rev-parse", "HEAD^{tree}"));
  const fresh = join(project.root, "checks", "fresh");
  await restarted(project).checkout({ commit, path: fresh, ...more });
  expect(contentOf(path)).toEqual(contentOf(fresh));
  await sparesMade(project, 2);
});

test("where attributes change, all files are written again", async () => {
  using project = gitProject("local");
  const { path, more } = await used(project);
  await spareOf(project);
  const commit = project.commit(project.user, { "many/.gitattributes": "*.txt eol=crlf\n" });
  await project.pawl.fetchTarget();
  await project.pawl.checkout({ commit, path, ...more });
  expect(readFileSync(join(path, nameOf(3)), "utf8")).toBe("3\r\n");
  await sparesMade(project, 1);
});

test("where attributes change between two commits whose steps were listed before, too", async () => {
  using project = gitProject("local");
  const { path, more } = await used(project);
  const target = await project.pawl.fetchTarget();
  const plain = project.commit(project.user, { "new.txt": "1\n" });
  const other = project.commit(project.user, { "many/.gitattributes": "*.txt eol=crlf\n" });
  const last = project.commit(project.user, { "new.txt": "2\n" });
  await project.pawl.fetchTarget();
  await project.pawl.changedPaths([target, plain, other, last]);
  const ends = { [plain]: "3\n", [last]: "3\r\n", [other]: "3\r\n", [target]: "3\n" };
  for (const [commit, text] of Object.entries(ends)) {
    await spareOf(project);
    await project.pawl.checkout({ commit: commitId(commit), path, ...more });
    expect(readFileSync(join(path, nameOf(3)), "utf8")).toBe(text);
  }
  await sparesMade(project, 1);
});

test("a file of a waiting checkout that another program changed is written again", async () => {
  using project = gitProject("local");
  const { path, more } = await used(project);
  const spare = await spareOf(project);
  writeFileSync(join(spare, nameOf(3)), "changed by hand\n");
  rmSync(join(spare, "many/6"), { recursive: true });
  const commit = project.commit(project.user, { "new.txt": "1\n" });
  await project.pawl.fetchTarget();
  await project.pawl.checkout({ commit, path, ...more });
  expect(readFileSync(join(path, nameOf(3)), "utf8")).toBe("3\n");
  expect(readdirSync(join(path, "many/6"))).toHaveLength(FILES / 9);
  await sparesMade(project, 1);
});

const oneIn = (spare: string): string => join(spare, "new/one.txt");

/** The last thing that is done is to date its index ahead. */
function isWhole(spare: string): boolean {
  const index = lstatSync(`${spare}-index`);
  const written = lstatSync(oneIn(spare), { throwIfNoEntry: false });
  if (written === undefined) return false;
  return index.mtimeMs > index.ctimeMs + 1000 && index.ctimeMs >= written.ctimeMs;
}

/** Two commits that may be next, and a checkout that was told so. */
async function foreseen(project: GitProject) {
  const { path, more } = await used(project);
  await sparesMade(project, 1);
  const [before, green, red] = ["1", "2", "3"].map((text) =>
    project.commit(project.user, { "new/one.txt": `${text}\n` }),
  ) as [Commit, Commit, Commit];
  await project.pawl.fetchTarget();
  await project.pawl.checkout({ commit: before, path, ...more, next: async () => [green, red] });
  // A git that has written the file may still be about to note down how it left it.
  const readyAt = (): string[] =>
    sparesOf(project).map((spare) => (isWhole(spare) ? readFileSync(oneIn(spare), "utf8") : ""));
  await expect.poll(() => readyAt().toSorted(), { timeout: 30_000 }).toEqual(["2\n", "3\n"]);
  const spareWith = (text: string): string => sparesOf(project)[readyAt().indexOf(text)] ?? "";
  return { path, more, green, red, spareWith };
}

test.each(["2\n", "3\n"])(
  "of two commits that may be next, each is written ahead (%j)",
  async (text) => {
    using project = gitProject("local");
    const { path, more, green, red, spareWith } = await foreseen(project);
    const { ino } = lstatSync(join(spareWith(text), "new/one.txt"));
    const commit = text === "2\n" ? green : red;
    const made = await project.pawl.checkout({ commit, path, ...more });
    expect(made.tree).toBe(project.git(project.user, "rev-parse", `${commit}^{tree}`));
    expect(lstatSync(join(path, "new/one.txt")).ino).toBe(ino);
    const fresh = join(project.root, "checks", "fresh");
    await restarted(project).checkout({ commit, path: fresh, ...more });
    expect(contentOf(path)).toEqual(contentOf(fresh));
    await sparesMade(project, 3);
  },
);

test("a file of one that was written ahead is written again where another program changed it", async () => {
  using project = gitProject("local");
  const { path, more, red, spareWith } = await foreseen(project);
  const spare = spareWith("3\n");
  writeFileSync(join(spare, "new/one.txt"), "X\n");
  rmSync(join(spare, "many/6"), { recursive: true });
  await project.pawl.checkout({ commit: red, path, ...more });
  expect(readFileSync(join(path, "new/one.txt"), "utf8")).toBe("3\n");
  expect(readdirSync(join(path, "many/6"))).toHaveLength(FILES / 9);
  await sparesMade(project, 2);
});

test("where neither of them is next, one becomes what is", async () => {
  using project = gitProject("local");
  const { path, more } = await foreseen(project);
  const commit = project.commit(project.user, { "new/one.txt": "4\n" });
  await project.pawl.fetchTarget();
  await project.pawl.checkout({ commit, path, ...more });
  expect(readFileSync(join(path, "new/one.txt"), "utf8")).toBe("4\n");
  await sparesMade(project, 2);
});

test("a waiting checkout that is gone is not missed", async () => {
  using project = gitProject("local");
  const { path, more } = await used(project);
  const spare = await spareOf(project);
  rmSync(spare, { recursive: true });
  const commit = project.commit(project.user, { "new.txt": "1\n" });
  await project.pawl.fetchTarget();
  await project.pawl.checkout({ commit, path, ...more });
  expect(contentOf(path)).toContain("new.txt 100644 1\n");
  expect(readdirSync(join(path, "many"))).toHaveLength(9);
  await sparesMade(project, 1);
});

test("a waiting checkout whose time runs out while it is taken stays whole", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    using project = gitProject("local", {
      crash: (name) => {
        // Between the choice of a spare and its move to the path.
        if (name === "git.checkout.moved-aside") vi.advanceTimersByTime(11 * 60_000);
      },
    });
    const { path, more } = await used(project);
    const spare = await spareOf(project);
    const { ino } = lstatSync(join(spare, nameOf(3)));
    const commit = project.commit(project.user, { "new.txt": "1\n" });
    await project.pawl.fetchTarget();
    await project.pawl.checkout({ commit, path, ...more });
    expect(lstatSync(join(path, nameOf(3))).ino).toBe(ino);
    expect(readdirSync(join(path, "many"))).toHaveLength(9);
    await spareOf(project);
  } finally {
    vi.useRealTimers();
  }
});

test("one whose time has run out is removed before the next is made in its place", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    using project = gitProject("local");
    const { path, more } = await used(project);
    const spare = await spareOf(project);
    const commit = project.commit(project.user, { "new.txt": "1\n" });
    await project.pawl.fetchTarget();
    // It is being removed while a checkout that cannot use it makes the next.
    vi.advanceTimersByTime(11 * 60_000);
    await project.pawl.checkout({ commit, path, ...more });
    const found = (): string[] => (existsSync(spare) ? contentOf(spare) : []);
    // While it is being written, a folder may be gone between two looks.
    const whenWhole = async (): Promise<void> => expect(found()).toEqual(contentOf(path));
    await vi.waitFor(whenWhole, { timeout: 30_000 });
  } finally {
    vi.useRealTimers();
  }
});

test("what an earlier process left is removed when the hub is tidied, and one in use is not", async () => {
  using project = gitProject("local");
  await used(project);
  const own = await spareOf(project);
  const left = join(project.hub, "pawl", "checkouts", "0123.index.spare");
  project.write(left, manyFiles());
  writeFileSync(`${left}-index`, "");
  await project.checkpoints.tidy({ now: Date.now() });
  expect(sparesOf(project)).toHaveLength(2);
  await project.checkpoints.tidy({ now: Date.now() + 60 * 60_000 });
  expect(sparesOf(project)).toEqual([own]);
  expect(readdirSync(join(project.hub, "pawl", "checkouts"))).not.toContain("0123.index.spare");
  expect(readdirSync(join(own, "many"))).toHaveLength(9);
});
