import process from "node:process";
import { afterEach, expect, test, vi } from "vitest";
import { findProcess } from "../shared/process-table.ts";
import { whenGone } from "./signals.ts";

afterEach(() => void vi.restoreAllMocks());

test("waiting for an end is over in its time, also where the clock is set back", async () => {
  const own = await findProcess(process.pid);
  if (typeof own === "string") throw new Error("this process cannot be seen");
  vi.spyOn(Date, "now").mockReturnValueOnce(10_000_000).mockReturnValue(0);
  expect(await whenGone([own], 20)).toBe(false);
});
