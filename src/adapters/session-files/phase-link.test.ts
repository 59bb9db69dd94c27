import { mkdir, mkdtemp, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { linkPhase, unlinkPhase } from "./phase-link.ts";

let root: string;
let link: string;
const phase = (run: string, epoch: number): string =>
  join(root, "runs", run, String(epoch), "phase");

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-link-"));
  link = join(root, "dev-session-toy-42.phase");
  for (const epoch of [1, 2])
    await mkdir(join(root, "runs", "r1", String(epoch)), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("a link is made, kept, and moved on to the next epoch", async () => {
  expect(await linkPhase(link, phase("r1", 1))).toBe("linked");
  expect(await linkPhase(link, phase("r1", 1))).toBe("linked");
  expect(await linkPhase(link, phase("r1", 2))).toBe("linked");
  expect(await readlink(link)).toBe(phase("r1", 2));
});

test("a file, a folder and a link to somewhere else are taken and left alone", async () => {
  await writeFile(link, "mine");
  expect(await linkPhase(link, phase("r1", 1))).toBe("taken");
  await rm(link);
  await mkdir(link);
  expect(await linkPhase(link, phase("r1", 1))).toBe("taken");
  await rm(link, { recursive: true });
  await symlink("/etc/passwd", link);
  expect(await linkPhase(link, phase("r1", 1))).toBe("taken");
  expect(await readlink(link)).toBe("/etc/passwd");
});

test("another factory's living epoch is taken, also while it has not spoken; a dead one is replaced", async () => {
  const other = join(root, "other", "runs", "r9", "1");
  await mkdir(other, { recursive: true });
  await symlink(join(other, "phase"), link);
  expect(await linkPhase(link, phase("r1", 1))).toBe("taken");
  await rm(other, { recursive: true });
  expect(await linkPhase(link, phase("r1", 1))).toBe("linked");
});

test("only the link of this run is removed, whichever epoch it leads to", async () => {
  await linkPhase(link, phase("r1", 2));
  await unlinkPhase(link, phase("r2", 1));
  expect(await readlink(link)).toBe(phase("r1", 2));
  await unlinkPhase(link, phase("r1", 1));
  await expect(readlink(link)).rejects.toThrow("ENOENT");
  await unlinkPhase(link, phase("r1", 1));
});
