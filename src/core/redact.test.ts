import { expect, test } from "vitest";
import { redact } from "./redact.ts";

const letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6";

test.each([
  [`ghp_${letters}`, "[redacted]"],
  [`github_pat_${letters}`, "[redacted]"],
  [`sk-ant-api03-${letters}`, "[redacted]"],
  ["xoxb-123456789012-abcdef", "[redacted]"],
  ["AKIAABCDEFGHIJKLMNOP", "[redacted]"],
  ["https://ada:hunter2@example.org/x", "https://ada:[redacted]@example.org/x"],
  ["Authorization: Bearer abcdefgh123", "Authorization: Bearer [redacted]"],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----!", "[redacted]!"],
])("%j is taken out", (text, left) => {
  expect(redact(`before ${text} after`)).toBe(`before ${left} after`);
});

test("what Pawl itself holds is taken out, wherever it stands; short values are no secrets", () => {
  expect(redact("x hunter2hunter2 y hunter2hunter2", ["hunter2hunter2", "y"])).toBe(
    "x [redacted] y [redacted]",
  );
});

test("ordinary text, commits and addresses stay as they are", () => {
  const text = `commit ${"a".repeat(40)} at https://example.org/a:b@c sk-1 eyJ tokens ghp_short`;
  expect(redact(text)).toBe(text);
});

test("a text of ten megabytes is read without delay", () => {
  const text = `${"-----BEGIN ".repeat(200_000)}${"eyJ".repeat(500_000)}${"https://a:".repeat(300_000)}`;
  expect(redact(text).length).toBeGreaterThan(1000);
});
