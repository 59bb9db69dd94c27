// The journal on real files: the conformance suite, then what only a disk can show.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { storeConformance } from "../../src/store/conformance.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pawl-store-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

storeConformance("the SQLite store", () => {
  count += 1;
  return openSqliteStore(join(folder, `${count}`, "pawl.db"));
});
