import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { holdSecrets } from "./held-secrets.ts";

function held(env: Record<string, string>, file?: string) {
  const home = mkdtempSync("/tmp/pawl-held-");
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (text: string): void =>
    writeFileSync(join(home, ".env"), text, { mode: 0o600, flag: "w" });
  if (file !== undefined) write(file);
  return { ...holdSecrets({ home, env }), write };
}

test("a secret that was never used is not shown", () => {
  const { redact } = held({}, "DEPLOY=dk-9f8e7d6c5b4a\n# note\nOTHER='two words here'\n");
  expect(redact("it is dk-9f8e7d6c5b4a, or two words here")).toBe(
    "it is [redacted], or [redacted]",
  );
});

test("what is named like a secret is not shown, what a configuration names neither", () => {
  const env = {
    FORGE_TOKEN: "from-the-environment",
    DEPLOY_KEY: "key-of-a-deploy",
    CHAT_URL: "https://chat.example.org/hook/1",
    PATH: "/bin/anything",
  };
  const { redact, know } = held(env);
  const text = "from-the-environment key-of-a-deploy https://chat.example.org/hook/1 /bin/anything";
  const rest = "https://chat.example.org/hook/1 /bin/anything";
  expect(redact(text)).toBe(`[redacted] [redacted] ${rest}`);
  know(["CHAT_URL", "ABSENT"]);
  expect(redact(text)).toBe("[redacted] [redacted] [redacted] /bin/anything");
});

test("a secret that comes later is known from then on, and so is what was asked for", async () => {
  const { redact, secrets, write } = held({ ODD: "asked-for-by-name" });
  expect(redact("later-secret asked-for-by-name")).toBe("later-secret asked-for-by-name");
  write("A=later-secret\n");
  expect(await secrets("ODD")).toBe("asked-for-by-name");
  expect(redact("later-secret asked-for-by-name")).toBe("[redacted] [redacted]");
});
