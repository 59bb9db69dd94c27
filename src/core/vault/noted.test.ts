import { expect, test } from "vitest";
import { filed, VaultWorld } from "../../../test/support/vault.ts";
import { noted } from "./noted.ts";

test("the memory of an item is bounded", () => {
  let item = new VaultWorld().step(filed());
  for (let at = 0; at < 100; at += 1) item = noted(item, "x".repeat(2000), { at });
  expect(item.log).toHaveLength(50);
  expect(item.log.at(-1)).toEqual({ at: 99, text: "x".repeat(500) });
});
