import { expect, test } from "vitest";
import { filed, HOUR_MS, VaultWorld } from "../../../test/support/vault.ts";

function firing(): VaultWorld {
  const world = new VaultWorld();
  world.step(filed());
  world.approve(1000);
  return world;
}

const begin = (world: VaultWorld, at: number, attempt: number): void => {
  world.step({ kind: "vault-firing-begun", at, attempt });
};

test("it begins once per attempt, and only while the approval lives", () => {
  const world = firing();
  begin(world, 2000, 2);
  expect(world.stage()).toMatchObject({ begun: false });
  begin(world, 2000, 1);
  const begun = world.item;
  expect(world.stage()).toMatchObject({ begun: true });
  begin(world, 2001, 1);
  expect(world.item).toBe(begun);
  const late = firing();
  begin(late, 1000 + 48 * HOUR_MS, 1);
  expect(late.stage()).toMatchObject({ begun: false });
});

test("done is the end, and the requester and the operators are told", () => {
  const world = firing();
  begin(world, 2000, 1);
  world.fired(3000, 1, { kind: "done", detail: "answered 204" });
  expect(world.stage()).toMatchObject({ kind: "ended", end: "fired", by: "ann" });
  expect(world.wants()).toEqual(["notify"]);
  expect(world.output.tells.map(({ to }) => to)).toEqual(["mail:toy"]);
  const ended = world.item;
  expect(world.fired(4000, 1, { kind: "unknown", why: "late" })).toBe(ended);
});

test("what was provably not sent is fired again by the same approval, a few times", () => {
  const world = firing();
  let at = 2000;
  for (let attempt = 1; attempt < 5; attempt += 1) {
    begin(world, at, attempt);
    world.fired(at, attempt, { kind: "unsent", why: "no connection" });
    const stage = world.stage();
    if (stage.kind !== "resting") throw new Error(`it is ${stage.kind}`);
    world.step({ kind: "deadline-passed", at: stage.retryAt - 1 });
    expect(world.wants()).toEqual([]);
    at = stage.retryAt;
    world.step({ kind: "deadline-passed", at });
    expect(world.stage()).toMatchObject({ kind: "firing", attempt: attempt + 1, begun: false });
    expect(world.wants()).toEqual(["fire-vault"]);
  }
  world.fired(at, 5, { kind: "unsent", why: "no connection" });
  expect(world.stage()).toMatchObject({ kind: "ended", end: "failed" });
});

test("what may have happened is never fired again by itself: a person must say so", () => {
  const world = firing();
  begin(world, 2000, 1);
  world.fired(3000, 1, { kind: "unknown", why: "answered 500" });
  expect(world.stage()).toMatchObject({ kind: "unsure", why: "answered 500" });
  expect(world.wants()).toEqual(["notify"]);
  world.step({ kind: "deadline-passed", at: 4000 });
  expect(world.wants()).toEqual([]);
  world.approve(5000, "0".repeat(64));
  expect(world.stage().kind).toBe("unsure");
  world.approve(6000);
  expect(world.stage()).toMatchObject({ kind: "firing", attempt: 2, begun: false });
});

test("an action with an unknown outcome that is not confirmed ends as failed after its time", () => {
  const world = firing();
  world.fired(3000, 1, { kind: "unknown", why: "answered 500" });
  world.step({ kind: "deadline-passed", at: 3000 + 48 * HOUR_MS });
  expect(world.stage()).toMatchObject({ kind: "ended", end: "failed" });
});

test("an effect that failed before it began was not sent, after that the outcome is unknown", () => {
  const fail = (world: VaultWorld): void => {
    const effect = world.item;
    const hash = effect?.hash ?? "";
    const action = effect?.request?.action;
    if (action === undefined) throw new Error("no action");
    world.step({
      kind: "effect-failed",
      at: 5000,
      failed: {
        obligation: {
          key: "k",
          lane: "l",
          effect: { kind: "fire-vault", item: "v1", attempt: 1, hash, action },
        },
        code: "x",
        message: "broke",
      },
    });
  };
  const before = firing();
  fail(before);
  expect(before.stage()).toMatchObject({ kind: "resting", why: "broke" });
  const after = firing();
  begin(after, 2000, 1);
  fail(after);
  expect(after.stage()).toMatchObject({ kind: "unsure", why: "broke" });
});

test("an approval that runs out while it rests fires nothing more", () => {
  const world = firing();
  world.fired(2000, 1, { kind: "unsent", why: "no connection" });
  world.step({ kind: "deadline-passed", at: 1000 + 48 * HOUR_MS });
  expect(world.stage()).toMatchObject({ kind: "ended", end: "expired" });
});

test("a comment never fires again what may have happened: it may have been written before", () => {
  const world = firing();
  begin(world, 2000, 1);
  world.fired(3000, 1, { kind: "unknown", why: "answered 500" });
  expect(world.stage().kind).toBe("unsure");
  const { hash = "" } = world.item ?? {};
  world.step({ kind: "vault-approved", at: 4000, by: "ann", hash, comment: true });
  expect([world.stage().kind, world.wants()]).toEqual(["unsure", []]);
  world.approve(5000);
  expect(world.wants()).toEqual(["fire-vault"]);
});
