// A workspace with read-only folders, removed by an ordinary user.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const REMOVE = fileURLToPath(new URL("support/remove-as-user.ts", import.meta.url));

test("an ordinary user's workspace with read-only folders is saved and removed whole", () => {
  const env = { PATH: process.env["PATH"] ?? "" };
  const printed = execFileSync(process.execPath, [REMOVE], { env, encoding: "utf8" });
  const { uid, removal, saved, left } = JSON.parse(printed) as Record<string, unknown>;
  expect(uid).not.toBe(0);
  expect(removal).toEqual({ kind: "removed" });
  expect(saved).toContain("cache/deep/f.txt");
  expect(left).toEqual([]);
});
