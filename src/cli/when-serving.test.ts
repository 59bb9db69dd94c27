import { expect, test } from "vitest";
import { OperationError } from "../lib/operation-error.ts";
import { whenServing, type Starting } from "./when-serving.ts";

/** A daemon that serves after so many looks, each of which takes 15 s. */
function slowStart(over: Partial<Starting> & { looks: number }) {
  const said: string[] = [];
  let looks = 0;
  const starting: Starting = {
    now: () => looks * 15_000,
    isServing: async () => looks >= over.looks,
    ended: () => undefined,
    hasDied: () => false,
    hasWorked: async () => true,
    changed: async () => void looks++,
    say: (text) => void said.push(text),
    hint: "look at daemon.log",
    ...over,
  };
  return { starting, said };
}

test("a daemon that works is waited for, however long it takes", async () => {
  const { starting, said } = slowStart({ looks: 20 });
  await whenServing(starting);
  expect(said.at(0)).toBe("the daemon is still starting (30 s)\n");
  expect(said.at(-1)).toBe("the daemon is still starting (270 s)\n");
});

test("a daemon that does nothing is given up", async () => {
  const { starting } = slowStart({ looks: 20, hasWorked: async () => false });
  await expect(whenServing(starting)).rejects.toThrow("the daemon did not answer within 30 s");
});

test("a daemon that died is given up, although its keeper tries again", async () => {
  const { starting } = slowStart({ looks: 20, hasDied: () => true });
  await expect(whenServing(starting)).rejects.toThrow("the daemon crashes each time it starts");
});

test("a keeper that gave up says why at once", async () => {
  const why = new OperationError("no journal", { code: "unreachable" });
  const { starting } = slowStart({ looks: 20, ended: () => why });
  await expect(whenServing(starting)).rejects.toBe(why);
});
