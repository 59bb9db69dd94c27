import { expect, test } from "vitest";
import { filed, HOUR_MS, VaultWorld } from "../../../test/support/vault.ts";
import { asksPerson, isEnded, vaultDeadline } from "./item.ts";

test("it has a deadline exactly while it waits for a person or for its next try", () => {
  const world = new VaultWorld();
  const item = world.step(filed());
  expect([vaultDeadline(item), asksPerson(item), isEnded(item)]).toEqual([
    48 * HOUR_MS,
    true,
    false,
  ]);
  const firing = world.approve(1000);
  expect([vaultDeadline(firing), asksPerson(firing)]).toEqual([undefined, false]);
  const resting = world.fired(2000, 1, { kind: "unsent", why: "x" });
  expect(vaultDeadline(resting)).toBe(62_000);
  const ended = world.step({ kind: "vault-rejected", at: 3000, by: "ann", reason: "" });
  expect([vaultDeadline(ended), isEnded(ended)]).toEqual([undefined, true]);
});
