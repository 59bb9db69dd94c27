import { expect, test } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { Devices } from "./devices.ts";

test("a pairing link pairs one browser, once, within five minutes", async () => {
  let now = 0;
  const devices = new Devices(createMemoryStore(), () => now);
  const { code, expiresAt } = devices.link("view");
  now = expiresAt - 1;
  expect(await devices.pair(code, "Firefox")).toMatchObject({ device: { scope: "view" } });
  expect(await devices.pair(code, "Firefox")).toBeUndefined();
  const late = devices.link("view");
  now = late.expiresAt;
  expect(await devices.pair(late.code, "Firefox")).toBeUndefined();
});
