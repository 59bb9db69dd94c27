import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

test("a text has the digest that the standard gives for its UTF-8 bytes", () => {
  expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256("ä")).toBe("33e6d73fee82904c8d7afb78de1154d1e8dc2a0edb08120e63df5b9385c2d9cc");
});
