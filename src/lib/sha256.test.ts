import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

const reference = (text: string): string => createHash("sha256").update(text).digest("hex");

test("it agrees with Node's for texts around every border of a block", () => {
  for (let length = 0; length < 200; length += 1) {
    const text = "x".repeat(length);
    expect(sha256(text)).toBe(reference(text));
  }
});

test("it agrees with Node's for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(reference(text));
    }),
    { numRuns: 25 },
  );
});
