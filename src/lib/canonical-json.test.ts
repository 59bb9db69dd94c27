import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test("the order of keys does not matter, everything else does", () => {
  expect(canonicalJson({ b: 1, a: { d: [1, "x"], c: null } })).toBe(
    '{"a":{"c":null,"d":[1,"x"]},"b":1}',
  );
  expect(canonicalJson({ a: 1, b: undefined })).toBe('{"a":1}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(canonicalJson("1")).not.toBe(canonicalJson(1));
});

test("it says what JSON says, and nothing is lost", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
