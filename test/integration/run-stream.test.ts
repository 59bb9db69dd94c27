// More output than fits into one string of Node (2^29 - 24 characters), through the real pipes.
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { run } from "../../src/adapters/shared/run.ts";

test("output is passed on as a stream of any size, at the pace of its reader", async () => {
  let bytes = 0;
  const result = await run({
    argv: ["head", "-c", "540000000", "/dev/zero"],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    timeoutMs: 60_000,
    limits: "silence",
    maxBytes: 0,
    take: async (stdout: Readable): Promise<void> => {
      for await (const chunk of stdout) bytes += (chunk as Buffer).length;
    },
  });
  expect(bytes).toBe(540_000_000);
  expect(result.bytes.length).toBe(0);
});
