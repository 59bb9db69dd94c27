import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { factoryMarks } from "./factory-id.ts";

test("a home keeps its name when its journal is lost, and the new journal has another one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-home-"));
  const file = join(folder, "home-id");
  try {
    const store = createMemoryStore();
    const atOnce = Array.from({ length: 20 }, () => factoryMarks(store, file));
    const [first = { home: "" }, ...others] = await Promise.all(atOnce);
    for (const again of others) expect(again.home).toBe(first.home);
    expect(readFileSync(file, "utf8")).toBe(`${first.home}\n`);
    expect(readdirSync(folder)).toEqual(["home-id"]);
    expect(await factoryMarks(store, file)).toEqual(await factoryMarks(store, file));
    const lost = await factoryMarks(createMemoryStore(), file);
    expect(lost.home).toBe(first.home);
    expect(lost.id).not.toBe((await factoryMarks(store, file)).id);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
