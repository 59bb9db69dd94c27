import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { hasEnded } from "./has-ended.ts";

test("a process has not ended before it is gone", async () => {
  expect(hasEnded(process.pid)).toBe(false);
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  expect(hasEnded(child.pid ?? 0)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(hasEnded(child.pid ?? 0)).toBe(true);
});
