import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type * as files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";

/** So many writes fail from now on, each after a part of its file was written. */
const broken = vi.hoisted(() => ({ left: 0, code: "" }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof files>();
  const writeFile = async (...args: Parameters<typeof real.writeFile>): Promise<void> => {
    if (broken.left === 0) return real.writeFile(...args);
    broken.left -= 1;
    writeFileSync(args[0] as Buffer, "{", { flag: "wx" });
    throw Object.assign(new Error(`${broken.code}: write`), { code: broken.code });
  };
  return { ...real, writeFile };
});

// Another test of this process may have loaded it already, without the mock.
vi.resetModules();
const { createSpool } = await import("./spool-writer.ts");

const place = mkdtempSync(join(tmpdir(), "pawl-spool-"));
afterAll(() => rmSync(place, { recursive: true }));

function world() {
  const dir = mkdtempSync(join(place, "life-"));
  const elsewhere = mkdtempSync(join(place, "elsewhere-"));
  for (const name of ["tmp", "new"]) mkdirSync(join(dir, "spool", name), { recursive: true });
  return { dir, elsewhere, spool: join(dir, "spool") };
}

test("a fact is seen in the spool under a name that keeps the order", async () => {
  const { dir, spool } = world();
  const report = createSpool(dir);
  await Promise.all([report({ kind: "one" }), report({ kind: "two" })]);
  expect(readdirSync(join(spool, "new"))).toHaveLength(2);
  expect(readdirSync(join(spool, "tmp"))).toEqual([]);
});

test.each(["tmp", "new"])("a link in place of spool/%s is not followed", async (name) => {
  const { dir, spool, elsewhere } = world();
  rmSync(join(spool, name), { recursive: true });
  symlinkSync(elsewhere, join(spool, name));
  await createSpool(dir)({ kind: "one" });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("a link in place of the whole spool is not followed", async () => {
  const { dir, spool, elsewhere } = world();
  for (const name of ["tmp", "new"]) mkdirSync(join(elsewhere, name));
  rmSync(spool, { recursive: true });
  symlinkSync(elsewhere, spool);
  await createSpool(dir)({ kind: "one" });
  expect(readdirSync(join(elsewhere, "new"))).toEqual([]);
});

test.each(["ENOSPC", "EDQUOT", "EMFILE", "EIO"])(
  "no fact is lost to %s: it is written again, before those that follow",
  async (code) => {
    const { dir, spool } = world();
    Object.assign(broken, { left: 2, code });
    const report = createSpool(dir);
    await Promise.all([report({ kind: "question" }), report({ kind: "stop" })]);
    const written = readdirSync(join(spool, "new")).toSorted();
    const kinds = written.map((name) => {
      const fact = JSON.parse(readFileSync(join(spool, "new", name), "utf8")) as { kind: string };
      return fact.kind;
    });
    expect(kinds).toEqual(["question", "stop"]);
    expect(readdirSync(join(spool, "tmp"))).toEqual([]);
  },
);

test("a spool that refuses a fact for good stops nothing", async () => {
  const { dir, spool } = world();
  Object.assign(broken, { left: 1, code: "EACCES" });
  await createSpool(dir)({ kind: "one" });
  expect(readdirSync(join(spool, "new"))).toEqual([]);
});
