// The contract of the port that carries out the vault's actions, as tests: the simulator's outside
// and the real one run the same suite, so that the fake stays honest. `open` makes the outside.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FiringOutcome } from "../core/vault/item.ts";
import type { FiringRequest, Firing } from "./firing.ts";

/** Takes what it gets and says so; takes it and refuses; takes it and says nothing; is not there. */
export type Outside = "well" | "refusing" | "mute" | "absent";

export type FiringUnderTest = {
  firing: Firing;
  /** From now on. */
  become(outside: Outside): Promise<void>;
  /** An action that brings this text outside. */
  action(text: string): FiringRequest["action"];
  /** All texts that came outside so far, in their order. */
  arrived(): Promise<string[]>;
  /** Where programs find themselves. */
  folder: string;
  close(): Promise<void>;
};

export function firingContract(name: string, open: () => Promise<FiringUnderTest>): void {
  describe(`${name} keep their contract`, () => {
    let under: FiringUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    outcomeTests(() => under);
    repetitionTests(() => under);
  });
}

type Use = () => FiringUnderTest;

const carryOut = (use: Use, text: string): Promise<FiringOutcome> => {
  const { firing, folder } = use();
  const action = use().action(text);
  return firing.carryOut({ key: "pawl-toy-v1", folder, secrets: [], action });
};

function outcomeTests(use: Use): void {
  test("what was carried out says so, and the outside has it once, as it was meant", async () => {
    await use().become("well");
    expect((await carryOut(use, "hello: a 'text'\n")).kind).toBe("done");
    expect(await use().arrived()).toEqual(["hello: a 'text'\n"]);
  });

  test("an action with no server to receive it is unsent, and has no effect outside, also not later", async () => {
    await use().become("absent");
    expect(await carryOut(use, "early")).toMatchObject({ kind: "unsent", why: expect.any(String) });
    await use().become("well");
    expect((await carryOut(use, "late")).kind).toBe("done");
    expect(await use().arrived()).toEqual(["late"]);
  });

  test.each(["refusing", "mute"] as const)(
    "the outcome is unknown where the outside was %s, and the outside received it once",
    async (outside) => {
      await use().become(outside);
      expect(await carryOut(use, "maybe")).toMatchObject({
        kind: "unknown",
        why: expect.any(String),
      });
      expect(await use().arrived()).toEqual(["maybe"]);
    },
  );

  test("an action that names a secret it may not have is unsent, and says which", async () => {
    await use().become("well");
    const outcome = await carryOut(use, "my {{secret:TOKEN}}");
    expect(outcome).toMatchObject({ kind: "unsent", why: expect.stringContaining("TOKEN") });
    expect(await use().arrived()).toEqual([]);
  });
}

function repetitionTests(use: Use): void {
  // Callers rely on this: a fake that dropped the repetition would hide an item that fires twice.
  test("asked for again it is done again: nothing is folded here", async () => {
    await use().become("well");
    for (const text of ["same", "same"]) expect((await carryOut(use, text)).kind).toBe("done");
    expect(await use().arrived()).toEqual(["same", "same"]);
  });

  test("actions under way at once do not get into each other's way", async () => {
    await use().become("well");
    const outcomes = await Promise.all(["one", "two"].map((text) => carryOut(use, text)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(["done", "done"]);
    expect((await use().arrived()).toSorted()).toEqual(["one", "two"]);
  });
}
