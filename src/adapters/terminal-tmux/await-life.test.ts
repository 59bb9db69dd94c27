import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { awaitLife } from "./await-life.ts";

test("waiting for a process record is over after its time, whatever the clock says", async () => {
  const dir = mkdtempSync(join(tmpdir(), "pawl-life-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  vi.spyOn(Date, "now").mockReturnValue(0);
  vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(15_001);
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(awaitLife(dir, async () => true)).rejects.toMatchObject({
    code: "session-not-begun",
    message: expect.stringContaining("no process record after 15000 ms"),
  });
});
