import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pawl } from "../../../test/support/pawl-cli.ts";

test("a daemon of another build is named with the command that replaces it", async () => {
  const env = { PAWL_HOME: mkdtempSync(join(tmpdir(), "pawl-upgrade-")) };
  const daemon = { pid: 7, since: "2026-03-01T11:00:00Z", version: "1.2.2", build: "1.2.2 (old)" };
  const answers = { "GET /v1/ping": { version: "1.2.2", daemon } };
  const { code, stdout } = await pawl(["upgrade-check"], { env, answers });
  expect(code).toBe(8);
  expect(stdout).toContain("daemon\tanother build (pid 7): 1.2.2 (old)\n");
  expect(stdout).toContain("next\t`pawl down && pawl up` starts the daemon with this build");
});
