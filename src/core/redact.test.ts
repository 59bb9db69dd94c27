import { expect, test } from "vitest";
import { createPrng } from "../lib/prng.ts";
import { redact, redactDeep, redactText, spellings } from "./redact.ts";

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

test.each([
  [`npm_${"a1B2".repeat(9)}`, "[redacted]"],
  [`sk_live_${letters}`, "[redacted]"],
  [`AIza${letters}abc`, "[redacted]"],
  [
    "https://hooks.slack.com/services/T0/B0/abcdefgh",
    "https://hooks.slack.com/services/[redacted]",
  ],
])("%j is taken out as well", (text, left) => {
  expect(redact(`before ${text} after`)).toBe(`before ${left} after`);
});

test("an address that is only a place stays, one with a path that was held goes", () => {
  const words = spellings(["https://ci.example.org/", "https://ci.example.org/hook/123"]);
  expect(redact("at https://ci.example.org/ or https://ci.example.org/hook/123", words)).toBe(
    "at https://ci.example.org/ or [redacted]",
  );
});

test("text that is JSON stays JSON for every form of secret", () => {
  const value = {
    url: "http://h:80",
    mail: "a@b",
    key: "-----BEGIN PRIVATE KEY-----x",
    n: [1, null],
  };
  const clean = (text: string): string => redact(text);
  expect(JSON.parse(redactText(JSON.stringify(value), clean))).toEqual({
    ...value,
    key: "[redacted]",
  });
  expect(redactDeep({ a: ["x"], b: undefined }, () => "y")).toEqual({ a: ["y"], b: undefined });
});

const SIGNS = Array.from("abcXYZ019-_.:/+=$\"'\\{}[]()*?^|&<> \t\n\u00e9\u{1f511}");

test("no secret survives, wherever it stands and however it is written down (10,000 made-up ones)", () => {
  const prng = createPrng(20_261_116);
  const word = (length: number): string => Array.from({ length }, () => prng.pick(SIGNS)).join("");
  for (let round = 0; round < 10_000; round += 1) {
    const secrets = Array.from({ length: 1 + prng.int(3) }, () => `k${word(7 + prng.int(40))}9`);
    const words = spellings(secrets);
    for (const secret of secrets) {
      const bare = secret.trim();
      const spelled = prng.pick([bare, encodeURIComponent(bare), JSON.stringify({ a: [bare] })]);
      const text = `${word(prng.int(20))}${spelled}${word(prng.int(20))}${bare}`;
      const left = redact(text, words);
      const shown = [bare, encodeURIComponent(bare), JSON.stringify(bare).slice(1, -1)];
      expect(shown.filter((one) => left.includes(one))).toEqual([]);
    }
  }
});
