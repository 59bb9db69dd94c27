import { expect, test } from "vitest";
import { SpoolFields } from "./spool-fields.ts";

test("a field that is missing or null is no fault", () => {
  const fields = new SpoolFields({ a: null });
  expect(fields.text("a", 9)).toBeUndefined();
  expect(fields.list("b", 9)).toEqual([]);
  expect(fields.fault).toBeUndefined();
});

test("the first field that is wrong is named, with its value and with what is right there", () => {
  const fields = new SpoolFields({ a: { b: 1 }, c: "x" });
  fields.text("a", 9);
  fields.number("c", "a number", () => true);
  expect(fields.fault).toBe('`a` is {"b":1}, and should be a string');
});

test("a field that is needed and missing is named", () => {
  const fields = new SpoolFields({ a: " " });
  expect(fields.neededText("a", 9)).toBe("");
  expect(fields.fault).toBe('`a` is " ", and should be a string that is not empty');
  const other = new SpoolFields({});
  other.neededNumber("n", "a number", () => true);
  expect(other.fault).toBe("`n` is missing, and should be a number");
});

test("a list takes numbers as they are written, and nothing else than texts beside", () => {
  expect(new SpoolFields({ a: ["x", 3, " "] }).list("a", 9)).toEqual(["x", "3"]);
  const fields = new SpoolFields({ a: ["x", { y: 1 }] });
  expect(fields.list("a", 9)).toEqual([]);
  expect(fields.fault).toBe('`a` is ["x",{"y":1}], and should be a list of strings');
});
