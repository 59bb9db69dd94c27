// Where the pinned Claude Code cannot be had, nothing pretends to have been tested.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const CHECKOUT = join(import.meta.dirname, "../..");
const SUITE = "test/claude/demo.test.ts";

test("without the binary the suite says SKIPPED aloud, with the reason, and counts no test as passed", () => {
  const root = mkdtempSync(join(tmpdir(), "pawl-absent-"));
  // A registry that cannot be reached.
  writeFileSync(join(root, "npm"), "#!/bin/sh\necho no route to the registry >&2\nexit 1\n");
  chmodSync(join(root, "npm"), 0o755);
  const vitest = join(CHECKOUT, "node_modules/vitest/vitest.mjs");
  const words = ["run", "--project", "claude", SUITE, "-t", "with Claude Code at work"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [vitest, ...words], {
    cwd: CHECKOUT,
    encoding: "utf8",
    env: {
      ...process.env,
      NO_COLOR: "1",
      PATH: `${root}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
      PAWL_TEST_CACHE: join(root, "cache"),
    },
  });
  rmSync(root, { recursive: true, force: true });
  const said = stdout + stderr;
  expect(said).toContain("SKIPPED: Claude Code cannot be had here (no route to the registry)");
  expect(said).toMatch(/Tests\s+2 skipped/);
  expect(said).not.toMatch(/\d+ passed/);
  expect(status).toBe(0);
});
