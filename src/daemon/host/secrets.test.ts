import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSecrets, parseSecrets } from "./secrets.ts";

test("a secret is taken from the environment, else from the private file", async () => {
  const home = mkdtempSync(join(tmpdir(), "pawl-secrets-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const secrets = createSecrets(home, { A: "from env", EMPTY: "" });
  expect(await secrets("A")).toBe("from env");
  expect(await secrets("B")).toBeUndefined();
  writeFileSync(join(home, ".env"), "A=file\nB=from file\nEMPTY=filled\n", { mode: 0o600 });
  expect(await secrets("A")).toBe("from env");
  expect(await secrets("B")).toBe("from file");
  expect(await secrets("EMPTY")).toBe("filled");
  chmodSync(join(home, ".env"), 0o644);
  await expect(secrets("B")).rejects.toThrow("others can read the file");
});

test("lines are read as a shell would, and the rest is left out", () => {
  const text = `# comment\nexport A="one two"\nB='x=y'\nC = plain \nnot a line\n1BAD=2\n`;
  expect(parseSecrets(text)).toEqual({ A: "one two", B: "x=y", C: "plain" });
});
