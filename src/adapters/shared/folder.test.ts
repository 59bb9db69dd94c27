import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Folder, partsOf, removeInside, removeTree } from "./folder.ts";

function place() {
  const root = mkdtempSync(join(tmpdir(), "pawl-folder-"));
  const [inside, outside] = [join(root, "inside"), join(root, "outside")];
  for (const folder of [inside, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "a.txt"), "precious\n");
  return {
    inside,
    outside,
    [Symbol.dispose]: (): void => rmSync(root, { recursive: true, force: true }),
  };
}

test("a link on the way is not followed: nothing is found, made or removed behind it", async () => {
  using at = place();
  symlinkSync(at.outside, join(at.inside, "data"));
  await using folder = await Folder.open(at.inside);
  expect(await folder.enter("data")).toBeUndefined();
  expect(await folder.enter("data/sub")).toBeUndefined();
  await expect(folder.make("data/sub")).rejects.toThrow("leads out of its folder");
  await removeInside(at.inside, "data/a.txt");
  await removeInside(at.inside, "data");
  expect(existsSync(join(at.inside, "data"))).toBe(false);
  expect(readdirSync(at.outside)).toEqual(["a.txt"]);
  symlinkSync(at.outside, join(at.inside, "link"));
  await expect(Folder.open(join(at.inside, "link"))).rejects.toThrow("ENOTDIR");
});

test("a link that replaces a folder after it was entered changes nothing for the one who is inside", async () => {
  using at = place();
  mkdirSync(join(at.inside, "data"));
  await using folder = await Folder.open(at.inside);
  await using data = await folder.make("data");
  rmSync(join(at.inside, "data"), { recursive: true });
  symlinkSync(at.outside, join(at.inside, "data"));
  await data.remove("a.txt");
  expect(readFileSync(join(at.outside, "a.txt"), "utf8")).toBe("precious\n");
});

test.each(["..", "a/../b", "/etc", "a\0b", "../../x"])("the path %j is refused", (path) => {
  expect(() => partsOf(path)).toThrow("leads out of its folder");
});

test("what stands in the way of a folder is given to the caller, with its path", async () => {
  using at = place();
  mkdirSync(join(at.inside, "a"));
  symlinkSync(at.outside, join(at.inside, "a", "b"));
  await using folder = await Folder.open(at.inside);
  const seen: string[] = [];
  await using _ = await folder.make("a/b/c", async (holder, name, path) => {
    seen.push(path);
    await holder.remove(name);
  });
  expect(seen).toEqual(["a/b"]);
  expect(existsSync(join(at.inside, "a", "b", "c"))).toBe(true);
  expect(readdirSync(at.outside)).toEqual(["a.txt"]);
});

test("a tree goes with read-only folders, links to elsewhere and paths longer than the system takes", async () => {
  using at = place();
  const deep = join(at.inside, "deep");
  mkdirSync(deep);
  await using folder = await Folder.open(deep);
  await using last = await folder.make(Array.from({ length: 30 }, () => "d".repeat(200)).join("/"));
  writeFileSync(last.at("f"), "x\n");
  mkdirSync(join(at.inside, "closed", "inner"), { recursive: true });
  writeFileSync(join(at.inside, "closed", "inner", "f"), "");
  for (const name of ["closed/inner", "closed"]) chmodSync(join(at.inside, name), 0o555);
  symlinkSync(at.outside, join(at.inside, "closed-link"));
  await removeTree(at.inside);
  expect(existsSync(at.inside)).toBe(false);
  expect(readdirSync(at.outside)).toEqual(["a.txt"]);
  await removeTree(at.inside);
  await removeTree(join(at.inside, "nowhere"));
});
