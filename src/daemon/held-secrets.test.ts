import { expect, test } from "vitest";
import { holdSecrets } from "./held-secrets.ts";

test("what is named like a secret, and what was asked for, is never shown", async () => {
  const env = { FORGE_TOKEN: "from-the-environment", PATH: "/bin/anything" };
  const { secrets, redact } = holdSecrets(async () => "from-a-file\n", env);
  const text = "from-the-environment from-a-file /bin/anything";
  expect(redact(text)).toBe("[redacted] from-a-file /bin/anything");
  expect(await secrets("OTHER")).toBe("from-a-file\n");
  expect(redact(text)).toBe("[redacted] [redacted] /bin/anything");
});
