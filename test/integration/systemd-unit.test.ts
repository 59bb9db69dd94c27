// The unit as systemd itself reads it. Where its checker is not installed, only its text is known.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unitText } from "../../src/cli/systemd-unit.ts";

const ANALYZE = "systemd-analyze";
const isThere = spawnSync(ANALYZE, ["--version"], { stdio: "ignore" }).status === 0;

test.skipIf(!isThere)("systemd reads the unit without a word, and complains of a wrong one", () => {
  const folder = mkdtempSync("/tmp/pawl-unit-");
  const said = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const words = ["verify", "--user", "--man=no", path];
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder, XDG_RUNTIME_DIR: folder };
    return spawnSync(ANALYZE, words, { env, encoding: "utf8" }).stderr;
  };
  try {
    const command = [process.execPath, "/opt/pa wl/main.js", "daemon"];
    const text = unitText({ command, home: "/home/ada/100%", path: "/usr/bin:/bin" });
    expect(said("pawl.service", text)).toBe("");
    const wrong = text.replace("KillMode=process", "KillMode=nonsense");
    expect(said("wrong.service", wrong)).toContain("kill mode");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
