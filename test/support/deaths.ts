// Pawl is killed at every change it makes on a forge, and started again each time.
import { expect } from "vitest";
import type { Factory } from "./pawl.ts";

const KILLED = -1;

/**
 * With the count 1, each new process dies at its first change, so that every change is died at in
 * turn; before sending it is 2, because a process that never sends anything never gets on.
 */
export const DEATHS: [point: string, count: number][] = [
  ["forge.http.send", 2],
  ["forge.http.sent", 1],
  ["forge.http.answered", 1],
];

/** Starts Pawl until it has nothing left to do; how often it died on the way. */
export async function dieUntilIdle(
  factory: Pick<Factory, "env" | "background">,
  crash: { point: string; count: number; deathsMax: number },
): Promise<number> {
  factory.env["PAWL_CRASH_AT"] = `${crash.point}:${crash.count}`;
  for (let deaths = 0; deaths <= crash.deathsMax; deaths += 1) {
    const { code, stderr } = await factory.background("run", "--until-idle").ended;
    if (code === 0) return deaths;
    expect({ code, stderr }).toMatchObject({ code: KILLED });
  }
  throw new Error("it dies again and again, and gets nowhere");
}
