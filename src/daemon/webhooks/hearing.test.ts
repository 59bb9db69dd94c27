import { expect, test } from "vitest";
import { projectName } from "../../core/ids.ts";
import { Hearing } from "./hearing.ts";

const TOY = projectName("toy");

function at(start: number) {
  const clock = { now: start };
  return { clock, hearing: new Hearing(() => clock.now) };
}

test("a forge is polled often until its first delivery", () => {
  const { hearing } = at(100);
  expect(hearing.source(TOY).kind).toBe("polling");
  hearing.heard(TOY);
  expect(hearing.source(TOY).kind).toBe("polling");
  hearing.listens(TOY, undefined);
  expect(hearing.source(TOY).kind).toBe("polling");
  hearing.heard(TOY);
  expect(hearing.source(TOY)).toEqual({ kind: "webhook", heardAt: 100 });
});

test("unreported news means that a delivery was missed, until the next delivery", () => {
  const { hearing } = at(100);
  hearing.listens(TOY, 50);
  expect(hearing.source(TOY).kind).toBe("webhook");
  hearing.missed(TOY);
  expect(hearing.source(TOY)).toMatchObject({
    kind: "polling",
    trouble: expect.stringContaining("not told"),
  });
  hearing.heard(TOY);
  expect(hearing.source(TOY).kind).toBe("webhook");
});

test("a delivery of long ago does not count any more", () => {
  const { hearing, clock } = at(100);
  hearing.listens(TOY, 100);
  clock.now += 8 * 24 * 3_600_000;
  expect(hearing.source(TOY).kind).toBe("polling");
});

test("without a listener the reason is given", () => {
  const { hearing } = at(100);
  hearing.cannotListen(TOY, "the port is taken");
  expect(hearing.source(TOY)).toMatchObject({ kind: "polling", trouble: "the port is taken" });
  hearing.forget(TOY);
  expect(hearing.source(TOY)).toMatchObject({ trouble: undefined });
});
