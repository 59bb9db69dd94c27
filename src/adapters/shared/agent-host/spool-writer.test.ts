import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSpool } from "./spool-writer.ts";

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
