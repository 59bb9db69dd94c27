import { expect, test } from "vitest";
import { withTrailer } from "./message.ts";

const TRAILER = "Resolved-by: mergiraf";

test.each([
  ["Add x", `Add x\n\n${TRAILER}\n`],
  ["Add x\n\nWhy it is: here.\n", `Add x\n\nWhy it is: here.\n\n${TRAILER}\n`],
  ["Add x\n\nSigned-off-by: Ada\n", `Add x\n\nSigned-off-by: Ada\n${TRAILER}\n`],
  [`Add x\n\n${TRAILER}\n`, `Add x\n\n${TRAILER}\n`],
  ["fix: one line", `fix: one line\n\n${TRAILER}\n`],
])("%j ends with the trailer once, in a paragraph of trailers", (message, wanted) => {
  expect(withTrailer(message, TRAILER)).toBe(wanted);
});
