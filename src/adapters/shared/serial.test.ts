import { expect, test } from "vitest";
import { createSerial } from "./serial.ts";

test("work of one key runs in order, also after a failure; other keys do not wait", async () => {
  const serial = createSerial();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = serial("a", async () => {
    await gate.promise;
    seen.push("a1");
    throw new Error("a1 failed");
  });
  const second = serial("a", async () => {
    seen.push("a2");
  });
  await serial("b", async () => {
    seen.push("b1");
  });
  gate.resolve();
  await expect(first).rejects.toThrow("a1 failed");
  await second;
  expect(seen).toEqual(["b1", "a1", "a2"]);
});
