import { expect, test } from "vitest";
import { claimIn, claimMark, withoutMarks } from "./marks.ts";

test("a claim's mark tells factory, home and key, and is taken off what people read", () => {
  const mark = { factory: "f1", home: "h1", key: "run:toy/7.1 -- >" };
  const text = `Pawl is working on this.\n\n${claimMark(mark)}`;
  expect(claimIn(text)).toEqual(mark);
  expect(withoutMarks(text)).toBe("Pawl is working on this.");
});

test("a mark of an older version has no home, and what cannot be read is no claim", () => {
  const old = { factory: "f1", home: undefined, key: "run:toy/7.1" };
  expect(claimIn(claimMark(old))).toEqual(old);
  for (const text of ["<!-- pawl-claim:%E0%A4%A -->", "<!-- pawl-claim:alone -->", "none"]) {
    expect(claimIn(text)).toBeUndefined();
  }
});
