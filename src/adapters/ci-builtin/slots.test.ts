import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

const never = new AbortController().signal;

function slotsOf(count: number) {
  const slots = createSlots();
  slots.resize(count);
  return slots;
}

test("slots are given out first come first served", async () => {
  const slots = slotsOf(1);
  const order: string[] = [];
  const use = async (name: string) => {
    const slot = await slots.take(never);
    order.push(name);
    slot.release();
  };
  await Promise.all(["a", "b", "c"].map(use));
  expect(order).toEqual(["a", "b", "c"]);
});

test("two slots at once are different ones", async () => {
  const slots = slotsOf(2);
  const [a, b] = await Promise.all([slots.take(never), slots.take(never)]);
  expect(new Set([a.index, b.index])).toEqual(new Set([0, 1]));
});

test("releasing twice frees one slot only", async () => {
  const slots = slotsOf(1);
  const first = await slots.take(never);
  first.release();
  first.release();
  const second = await slots.take(never);
  const controller = new AbortController();
  const third = slots.take(controller.signal);
  controller.abort();
  await expect(third).rejects.toThrow("aborted");
  second.release();
});

test("a caller that aborts in line does not take a slot with it", async () => {
  const slots = slotsOf(1);
  const first = await slots.take(never);
  const controller = new AbortController();
  const aborted = slots.take(controller.signal);
  const next = slots.take(never);
  controller.abort();
  await expect(aborted).rejects.toThrow("aborted");
  first.release();
  expect((await next).index).toBe(0);
});

test("more slots serve those who wait at once", async () => {
  const slots = slotsOf(1);
  await slots.take(never);
  const second = slots.take(never);
  slots.resize(2);
  expect((await second).index).toBe(1);
});

test("fewer slots are in use once the surplus is released", async () => {
  const slots = slotsOf(2);
  const [first, second] = [await slots.take(never), await slots.take(never)];
  slots.resize(1);
  const third = slots.take(never);
  second.release();
  expect(slots.isTaken(1)).toBe(false);
  first.release();
  expect((await third).index).toBe(0);
});
