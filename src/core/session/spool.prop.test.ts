// Whatever an agent's hook writes into the spool: it is understood or refused with a reason that names
// the field. Nothing is dropped without a word, and nothing throws.
import fc from "fast-check";
import { expect, test } from "vitest";
import { distort, distortion } from "../../../test/support/distort.ts";
import { parseSpool } from "./spool.ts";

const RUNS = 600;
const ACTION = { kind: "command", argv: ["make", "release"] };
const LETTERS: Record<string, unknown>[] = [
  { kind: "started" },
  { kind: "ping", silent: 61 },
  { kind: "tool", tool: "Bash", summary: "npm test", file: "a.ts" },
  { kind: "stop", background: 2 },
  { kind: "prompt", id: "m3" },
  { kind: "context", percent: 71.5 },
  { kind: "statusline", clock: "10:00:00", context: 7 },
  { kind: "question", id: "q1", text: "May I?", choices: ["Yes", "No"] },
  { kind: "answered", id: "q1" },
  { kind: "usage", tokens: 1200, usd: 0.25, model: "gpt-6", output_tokens: 20 },
  { kind: "limit", until: 1_800_000_000, reason: "5 h window" },
  { kind: "hook", work_phase: "testing", summary: "s", files: ["a"], tests_status: "passed" },
  { kind: "mail", to: "dev-2", subject: "Hello", body: "text", priority: "normal" },
  { kind: "mail", reply_to: "l1", subject: "Re", body: "text" },
  { kind: "mail-ack", id: "l1" },
  { kind: "vault", id: "one", what: "Release", risk: "low", reversible: true, action: ACTION },
  { kind: "help", text: "Which format?" },
].map((letter) => ({ v: 1, at: 5, ...letter }));

test("a letter with one field distorted is understood, or refused with a reason that names the field", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LETTERS), distortion, (letter, how) => {
      const { value, place } = distort(letter, how);
      const parsed = parseSpool(JSON.stringify(value));
      if (parsed.kind === "event") return;
      const [, field = ""] = /^\.([a-z_]+)/.exec(place) ?? [];
      // Of an action in the vault its own rules speak; without a kind or version, nothing is known.
      const isOwn = !/^(?:v|at|kind|)$/.test(field);
      const named = letter["kind"] === "vault" && isOwn ? "vault" : field;
      expect(parsed.why).toMatch(new RegExp(`${named}|version|kind|not a JSON object|larger than`));
    }),
    { numRuns: RUNS },
  );
});

test("a field that is understood has kept what it said", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LETTERS), distortion, (letter, how) => {
      const { value, place } = distort(letter, how);
      const parsed = parseSpool(JSON.stringify(value));
      const isKept = how.how === "missing" || how.how === "null" || place === "";
      if (parsed.kind === "refused" || isKept || /\.(v|at|kind)$/.test(place)) return;
      // Only texts take what was put there; numbers, lists and choices from a set refuse it.
      const was = place.split(/[.[\]]/).filter((one) => one !== "");
      const now = was.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], value);
      expect(["string", "number"]).toContain(typeof now);
    }),
    { numRuns: RUNS },
  );
});

test("any text at all is understood or refused", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
      const parsed = parseSpool(text);
      expect(parsed.kind === "event" || parsed.why !== "").toBe(true);
    }),
    { numRuns: RUNS },
  );
});
