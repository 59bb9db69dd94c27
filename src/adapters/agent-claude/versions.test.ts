import { expect, test } from "vitest";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOlder } from "../shared/is-older.ts";
import { problems } from "./versions.ts";

test.each([
  ["2.0.14 (Claude Code)", "Claude Code 2.0.14 is older than"],
  ["2.1.197 (Claude Code)", "nothing"],
  ["another program 1.0.0", "nothing"],
])("a program that says %j is complained about only if it is too old", async (said, expected) => {
  const root = mkdtempSync(join(tmpdir(), "pawl-versions-"));
  const program = join(root, "claude");
  writeFileSync(program, `#!/bin/sh\necho "${said}"\n`);
  chmodSync(program, 0o755);
  const found = await problems({ command: [program], env: {} });
  rmSync(root, { recursive: true });
  expect(found[0] ?? "nothing").toContain(expected);
});

test("a program that does not run is not called old", async () => {
  expect(await problems({ command: ["/nowhere/claude"], env: {} })).toEqual([]);
});

test.each([
  ["2.1.197", "2.1.325", true],
  ["2.1.325", "2.1.325", false],
  ["2.2.0", "2.1.325", false],
  ["2.1.99", "2.1.100", true],
  ["1.9.9", "2.0.0", true],
  ["3", "2.1.325", false],
])("%s older than %s: %s", (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
