import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRestarting } from "./restarting.ts";

const DIED =
  '{"level":50,"time":"2026-01-01T00:00:00Z","msg":"the daemon died with exit code 137; the keeper starts it again in 1 s"}\n';

test("a daemon whose keeper has just found it dead is being started again, unless it was stopped", () => {
  const home = mkdtempSync(join(tmpdir(), "pawl-restarting-"));
  const at = (time: string): boolean =>
    isRestarting({ env: { PAWL_HOME: home }, now: () => Date.parse(time) });
  try {
    expect(at("2026-01-01T00:00:02Z")).toBe(false);
    writeFileSync(join(home, "daemon.log"), DIED);
    expect(at("2026-01-01T00:00:02Z")).toBe(true);
    expect(at("2026-01-01T00:05:00Z")).toBe(false);
    writeFileSync(join(home, "stopped"), "");
    expect(at("2026-01-01T00:00:02Z")).toBe(false);
  } finally {
    rmSync(home, { recursive: true });
  }
});
