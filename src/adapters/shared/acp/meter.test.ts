import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { DriverEvent } from "../agent-host/driver.ts";
import { COST_FILE, Meter } from "./meter.ts";

/** A life whose launch has copied what the life before it had kept. */
async function life(before?: { usd: number; forgets?: boolean }) {
  const dir = mkdtempSync(join(tmpdir(), "pawl-meter-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, COST_FILE);
  if (before !== undefined) writeFileSync(file, JSON.stringify(before));
  const told: (number | undefined)[] = [];
  const onEvent = (event: DriverEvent) => void (event.kind === "usage" && told.push(event.usd));
  const meter = new Meter({ dir, onEvent }, "turn");
  await meter.open();
  const kept = (usd: number, forgets: boolean) =>
    vi.waitFor(() => expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ usd, forgets }), {
      timeout: 20_000,
    });
  return { meter, told, kept };
}

test("what earlier lives have spent on a conversation is taken off", async () => {
  const { meter, told, kept } = await life({ usd: 5 });
  meter.costChanged(5);
  meter.costChanged(5.5);
  expect(told).toEqual([0, 0.5]);
  await kept(5.5, false);
});

test("a program that counts from 0 again does so for the whole life", async () => {
  const { meter, told, kept } = await life({ usd: 5 });
  for (const usd of [0.1, 4.9, 5.25]) meter.costChanged(usd);
  expect(told).toEqual([0.1, 4.9, 5.25]);
  await kept(5.25, true);
});

test("of a program that is known to count from 0, nothing is taken off", async () => {
  const { meter, told } = await life({ usd: 0.2, forgets: true });
  meter.costChanged(0.3);
  expect(told).toEqual([0.3]);
});

test("the first life hands on all that was spent", async () => {
  const { meter, told, kept } = await life();
  meter.costChanged(0.25);
  expect(told).toEqual([0.25]);
  await kept(0.25, false);
});
