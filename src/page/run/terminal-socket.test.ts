import { expect, test } from "vitest";
import { fromBrowserSchema } from "../../api/terminal.ts";
import { inPieces } from "./terminal-socket.ts";

test("a long paste goes out whole, in messages that the daemon takes", () => {
  const pasted = `${"x".repeat(7999)}😀${"\u001b".repeat(30_000)}`;
  const pieces = inPieces(pasted);
  expect(pieces.join("")).toBe(pasted);
  for (const text of pieces) {
    const message = { kind: "keys", text };
    expect(fromBrowserSchema.safeParse(message).success).toBe(true);
    expect(JSON.stringify(message).length).toBeLessThan(64 * 1024);
    expect(text.isWellFormed()).toBe(true);
  }
});
