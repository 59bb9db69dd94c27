import { expect, test } from "vitest";
import { parseObject } from "./json-object.ts";

test("an object is read with every kind of value in it", () => {
  expect(parseObject(' {"a": [1, null]}\n')).toEqual({ a: [1, null] });
  expect(parseObject("{}")).toEqual({});
});

test.each(["", "{", '{"a": 1} and more', "[{}]", "null", '"text"', "7"])(
  "%j holds no object",
  (text) => {
    expect(parseObject(text)).toBeUndefined();
  },
);
