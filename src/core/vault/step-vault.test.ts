import { expect, test } from "vitest";
import { filed, HOUR_MS, REQUEST, toy, VaultWorld } from "../../../test/support/vault.ts";

const asked = (): VaultWorld => {
  const world = new VaultWorld();
  world.step(filed());
  return world;
};

test("the policy lets through, asks or denies, and a person hears of what is asked", () => {
  const world = asked();
  expect(world.stage()).toEqual({ kind: "waiting", deadline: 48 * HOUR_MS });
  expect(world.wants()).toEqual(["notify"]);
  const [news] = world.output.effects;
  expect(news?.effect).toMatchObject({ severity: "urgent", issue: 1 });
  const allowed = new VaultWorld();
  allowed.step(filed({ decision: "allow" }));
  expect(allowed.wants()).toEqual(["fire-vault"]);
  expect(allowed.stage()).toMatchObject({ kind: "firing", approval: { by: "policy" } });
  const denied = new VaultWorld();
  denied.step(filed({ decision: "deny" }));
  expect(denied.stage()).toMatchObject({ kind: "ended", end: "denied" });
});

test("operators are asked on the issue, and hear there what came of it, once each", () => {
  const world = new VaultWorld();
  world.step(filed({ at: 7, operators: ["ann"] }));
  const [said] = world.output.effects.filter(({ effect }) => effect.kind === "say-on-issue");
  expect(said).toMatchObject({ key: "vault:toy/v1:say:asks", effect: { on: 1, since: 7 } });
  expect(JSON.stringify(said)).toContain("@ann");
  world.step({ kind: "question-posted", at: 8, since: 6, comment: "70" });
  expect(world.item?.posted).toBeUndefined();
  world.step({ kind: "question-posted", at: 8, since: 7, comment: "77" });
  expect(world.item?.posted).toBe("77");
  world.step({ kind: "vault-rejected", at: 9, by: "ann", reason: "no" });
  expect(world.output.effects).toMatchObject([
    { key: "vault:toy/v1:say:ended", effect: { kind: "say-on-issue", on: 1 } },
  ]);
  expect(asked().item?.posted).toBeUndefined();
});

test("an approval fires exactly the payload that was asked for, once", () => {
  const world = asked();
  world.approve(1000);
  expect(world.wants()).toEqual(["fire-vault"]);
  const [fire] = world.output.effects;
  expect(fire?.effect).toMatchObject({
    hash: world.item?.hash,
    action: REQUEST.action,
    attempt: 1,
  });
  const firing = world.item;
  expect(world.approve(2000)).toBe(firing);
  expect(world.wants()).toEqual([]);
});

test("an approval of another payload fires nothing, and is written down", () => {
  const world = asked();
  world.approve(1000, "0".repeat(64));
  expect(world.stage().kind).toBe("waiting");
  expect(world.wants()).toEqual([]);
  expect(world.item?.log.at(-1)?.text).toContain("another payload was refused");
});

test("a second request under the same id changes nothing that was approved", () => {
  const world = asked();
  const hash = world.item?.hash;
  const other = {
    ...REQUEST,
    action: { ...REQUEST.action, body: "worse" } as typeof REQUEST.action,
  };
  world.step(filed({ at: 5, request: other }));
  expect(world.item?.hash).toBe(hash);
  expect(world.item?.log.at(-1)?.text).toContain("another payload");
  expect(world.step(filed({ at: 6 }))).toBe(world.item);
});

test("an agent whose request is refused, because its id was used, hears of it by letter", () => {
  const world = asked();
  const other = {
    ...REQUEST,
    action: { ...REQUEST.action, body: "worse" } as typeof REQUEST.action,
  };
  world.step(filed({ at: 5, request: other }));
  expect(world.output.tells).toMatchObject([
    {
      to: "mail:toy",
      event: { letter: { to: "dev-1", subject: "vault v1: your request was refused" } },
    },
  ]);
  // The same request while it waits is the same request.
  world.step(filed({ at: 6 }));
  expect(world.output.tells).toEqual([]);
  world.step({ kind: "vault-rejected", at: 7, by: "ann", reason: "no" });
  world.step(filed({ at: 8 }));
  expect(JSON.stringify(world.output.tells)).toContain("was rejected");
  expect(world.stage()).toMatchObject({ kind: "ended", end: "rejected" });
  // An operator who asked reads the error of the command instead.
  const { run: _, ...byPerson } = other;
  world.step(filed({ at: 9, request: byPerson }));
  expect(world.output.tells).toEqual([]);
});

test("undecided for 48 hours, it is rejected, and an approval after that is too late", () => {
  const world = asked();
  world.step({ kind: "deadline-passed", at: 48 * HOUR_MS });
  expect(world.stage()).toMatchObject({ kind: "ended", end: "expired" });
  const late = asked();
  late.approve(48 * HOUR_MS);
  expect(late.stage()).toMatchObject({ kind: "ended", end: "expired" });
  expect(late.wants()).not.toContain("fire-vault");
});

test.each([
  [true, "fired", true],
  [false, "failed", false],
])("a person who looked says whether it happened (%s): %s", (happened, end, met) => {
  const confirm = { kind: "vault-confirmed", at: 9, by: "ann", happened, note: "saw it" } as const;
  const world = asked();
  world.step({ kind: "vault-awaited", at: 1, project: toy, item: "v1", gate: "gate:toy/g1" });
  world.step(confirm);
  expect(world.stage().kind, "its outcome is not in doubt yet").toBe("waiting");
  world.approve(2);
  world.step(confirm);
  expect(world.stage().kind).toBe("firing");
  world.step({ kind: "vault-firing-begun", at: 3, attempt: 1 });
  world.fired(4, 1, { kind: "unknown", why: "cut off" });
  world.step(confirm);
  expect(world.stage()).toMatchObject({ kind: "ended", end, by: "ann" });
  expect(world.item?.log.at(-1)?.text).toContain(
    happened ? "did happen: saw it" : "did not happen",
  );
  expect(world.output.tells).toContainEqual(
    expect.objectContaining({ to: "gate:toy/g1", event: expect.objectContaining({ met }) }),
  );
});

test("a rejection ends it, also while it is about to be fired, but not once it was begun", () => {
  const reject = { kind: "vault-rejected", at: 9, by: "ann", reason: "no" } as const;
  const waiting = asked();
  waiting.step(reject);
  expect(waiting.stage()).toMatchObject({ kind: "ended", end: "rejected", by: "ann", text: "no" });
  const about = asked();
  about.approve(1);
  about.step(reject);
  expect(about.output.cancelled).toEqual(["vault:toy/v1:fire:1"]);
  expect(about.stage().kind).toBe("ended");
  const begun = asked();
  begun.approve(1);
  begun.step({ kind: "vault-firing-begun", at: 2, attempt: 1 });
  begun.step(reject);
  expect(begun.stage()).toMatchObject({ kind: "firing", begun: true });
  expect(begun.output.cancelled).toEqual([]);
});

test("a gate that waits for it is told its end, also one that comes later, or before the request", () => {
  const awaited = (gate: "gate:toy/a" | "gate:toy/b") =>
    ({ kind: "vault-awaited", at: 1, project: toy, item: "v1", gate }) as const;
  const world = new VaultWorld();
  world.step(awaited("gate:toy/a"));
  expect(world.stage().kind).toBe("expected");
  expect(world.step(awaited("gate:toy/a")).waiters).toEqual(["gate:toy/a"]);
  world.step(filed());
  world.approve(2);
  world.fired(3, 1, { kind: "done", detail: "answered 200" });
  const told = (to: string) =>
    world.output.tells.filter((tell) => tell.to === to && tell.event.kind === "gate-told");
  expect(told("gate:toy/a").map(({ event }) => event)).toMatchObject([{ met: true }]);
  world.step(awaited("gate:toy/b"));
  expect(told("gate:toy/b").map(({ event }) => event)).toMatchObject([{ met: true }]);
});

test("a laptop that slept gives people their time back, but no approval a longer life", () => {
  const world = asked();
  world.step({ kind: "clock-jumped", at: 5, gapMs: HOUR_MS });
  expect(world.stage()).toEqual({ kind: "waiting", deadline: 49 * HOUR_MS });
  world.approve(10);
  const before = world.stage();
  world.step({ kind: "clock-jumped", at: 11, gapMs: HOUR_MS });
  expect(world.stage()).toBe(before);
});
