import { expect, test } from "vitest";
import { epicOf, parseStoryKey } from "./story-key.ts";

test.each(["5.3", "5-3", "5-3-user-login"])("%s means story 5.3", (text) => {
  expect(parseStoryKey(text)).toMatchObject({ id: "5.3", prefix: "5-3", epic: "5" });
});

test("a key with its words keeps them", () => {
  expect(parseStoryKey("5-3-user-login")?.key).toBe("5-3-user-login");
  expect(parseStoryKey("5.3")?.key).toBe("5-3");
});

test("anything else is no story", () => {
  expect(["", "5", "x.3", "5.3/../x"].map(parseStoryKey)).toEqual(Array(4).fill(undefined));
  expect([epicOf("5"), epicOf("5.3"), epicOf("x")]).toEqual(["5", "5", undefined]);
});
