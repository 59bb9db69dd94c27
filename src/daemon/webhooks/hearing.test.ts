import { expect, test } from "vitest";
import { projectName } from "../../core/ids.ts";
import { Hearing } from "./hearing.ts";

const TOY = projectName("toy");

function at(start: number) {
  const clock = { now: start };
  return { clock, hearing: new Hearing(() => clock.now) };
}

test("a forge is asked often until it was heard", () => {
  const { hearing } = at(100);
  expect(hearing.source(TOY).kind).toBe("polling");
  hearing.heard(TOY);
  expect(hearing.source(TOY).kind).toBe("polling");
  hearing.listens(TOY, undefined);
  expect(hearing.source(TOY).kind).toBe("polling");
  hearing.heard(TOY);
  expect(hearing.source(TOY)).toEqual({ kind: "webhook", heardAt: 100 });
});

test("news that nobody told of mean that something was missed, until it is heard again", () => {
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

test("what was heard long ago is not believed any more", () => {
  const { hearing, clock } = at(100);
  hearing.listens(TOY, 100);
  clock.now += 8 * 24 * 3_600_000;
  expect(hearing.source(TOY).kind).toBe("polling");
});

test("where nobody can listen, it is said why", () => {
  const { hearing } = at(100);
  hearing.cannotListen(TOY, "the port is taken");
  expect(hearing.source(TOY)).toMatchObject({ kind: "polling", trouble: "the port is taken" });
  hearing.forget(TOY);
  expect(hearing.source(TOY)).toMatchObject({ trouble: undefined });
});
