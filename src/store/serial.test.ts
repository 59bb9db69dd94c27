import { expect, test } from "vitest";
import { createSerial } from "./serial.ts";

test("a queue that does not move refuses more instead of growing for ever", async () => {
  const serial = createSerial("the test");
  const { promise: stuck, resolve } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 10_000 }, () => serial.run(() => stuck));
  const refused = serial.run(async () => "never");
  await expect(refused).rejects.toMatchObject({ code: "store-overloaded", retryable: true });
  resolve();
  await Promise.all(waiting);
  expect(await serial.run(async () => "goes on")).toBe("goes on");
});

test("a transaction of another store may run inside one", async () => {
  const [one, other] = [createSerial("one"), createSerial("other")];
  expect(await one.run(() => other.run(async () => "inner"))).toBe("inner");
});

test("closing from inside a transaction is found out instead of waiting for itself", async () => {
  const serial = createSerial("the test");
  await expect(serial.run(() => serial.close())).rejects.toThrow("inside a transaction");
});
