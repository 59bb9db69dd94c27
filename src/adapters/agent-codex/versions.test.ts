import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inspect, problems } from "./versions.ts";

/** A program that says which version it is, and that it is signed out. */
function place(version: string, config = ""): { command: string[]; env: Record<string, string> } {
  const home = mkdtempSync(join(tmpdir(), "pawl-codex-versions-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const program = join(home, "codex");
  const says = `case $1 in --version) echo "codex-cli ${version}" ;; *) echo "Not logged in"; exit 1 ;; esac`;
  writeFileSync(program, `#!/bin/sh\n${says}\n`, { mode: 0o755 });
  writeFileSync(join(home, "config.toml"), config);
  return { command: [program], env: { PATH: process.env["PATH"] ?? "", CODEX_HOME: home } };
}

test("a version that is older than the tested one is a problem", async () => {
  expect(await problems(place("0.169.0"))).toEqual([]);
  expect(await problems(place("0.99.0"))).toEqual([
    expect.stringContaining("Codex 0.99.0 is older than 0.169.0"),
  ]);
});

test("Codex without a login is signed out, unless its configuration names another provider", async () => {
  expect(await inspect(place("0.169.0"))).toMatchObject([{ isSignedOut: true }]);
  const own = 'model = "m"\nmodel_provider = "mine"\n[model_providers.mine]\nname = "mine"\n';
  expect(await inspect(place("0.169.0", own))).toEqual([]);
  const inTable = '[profiles.x]\nmodel_provider = "mine"\n';
  expect(await inspect(place("0.169.0", inTable))).toMatchObject([{ isSignedOut: true }]);
});
