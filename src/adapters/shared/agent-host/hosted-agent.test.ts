import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LaunchRequest } from "../../../ports/agent.ts";
import { hostedAgent } from "./hosted-agent.ts";

test("a life that never opened its conversation hands on what its predecessor had kept", async () => {
  const lives = mkdtempSync(join(tmpdir(), "pawl-hosted-"));
  onTestFinished(() => rmSync(lives, { recursive: true, force: true }));
  const folder = (epoch: string): string => join(lives, epoch);
  for (const epoch of ["1", "2", "3"]) mkdirSync(folder(epoch));
  writeFileSync(join(folder("1"), "conversation"), '{"id":"c1"}\n');
  writeFileSync(join(folder("1"), "kept.json"), '{"usd":5}\n');
  const { launch } = hostedAgent({ host: "host.ts", argv: () => ["agent"], handsOn: "kept.json" });
  const launched = (epoch: string, resume: string) =>
    launch({
      dir: folder(epoch),
      workspace: lives,
      agent: {},
      resume,
      quietMs: 1,
    } as LaunchRequest);
  await launched("2", "1");
  await launched("3", "2");
  expect(readFileSync(join(folder("3"), "kept.json"), "utf8")).toBe('{"usd":5}\n');
});
