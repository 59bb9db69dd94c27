import { expect, test } from "vitest";
import { OperationError } from "../../lib/operation-error.ts";
import type { Check, Trouble } from "./check.ts";
import { examine, fixAll } from "./examine.ts";
import type { InspectionFacts } from "./inspection.ts";

/** A clock whose timers fire at once where told to: a check that hangs is given up on. */
const factsWith = (hangs: boolean): InspectionFacts =>
  ({
    ports: {
      clock: {
        now: () => 0,
        after: (_: number, call: () => void) => {
          if (hangs) call();
          return { cancel: () => undefined };
        },
      },
    },
  }) as unknown as InspectionFacts;

const FACTS = factsWith(false);

const check = (id: string, run: Check["run"]): Check => ({ id, title: id, run });

/** Found until it is fixed; `stays`: the fix changes nothing. */
function sick(id: string, { stays = false, fails = false } = {}): Check {
  let broken = true;
  const fix = {
    plan: `fix ${id}`,
    apply: async () => {
      if (fails) throw new OperationError("no permission", { code: "test", hint: "be root" });
      broken = stays;
    },
  };
  return check(id, async (): Promise<Trouble[]> => (broken ? [{ key: "k", what: id, fix }] : []));
}

test("a look tells plans and carries none out", async () => {
  const checks = [sick("a"), check("b", async () => [])];
  for (const round of [1, 2]) {
    const view = await examine(FACTS, checks);
    expect(view.healthy, `round ${round}`).toBe(false);
    expect(view.checks.map(({ id, troubles }) => [id, troubles.length])).toEqual([
      ["a", 1],
      ["b", 0],
    ]);
    expect(view.checks[0]?.troubles[0]).toMatchObject({ fix: "fix a", fixed: null });
  }
});

test("a problem counts as fixed only when its own check no longer finds it", async () => {
  const checks = [sick("a"), sick("b", { stays: true }), sick("c", { fails: true })];
  const view = await fixAll(FACTS, checks);
  expect(view.healthy).toBe(false);
  expect(view.checks.map(({ troubles }) => troubles.map(({ fixed }) => fixed))).toEqual([
    [true],
    [false],
    [false],
  ]);
  expect(view.checks[2]?.troubles[0]?.failed).toBe("no permission (be root)");
  expect(await fixAll(FACTS, [sick("a")])).toMatchObject({ healthy: true });
});

test("a problem that a fix caused is found too", async () => {
  let calls = 0;
  const worse = check("a", async (): Promise<Trouble[]> => {
    calls += 1;
    if (calls > 1) return [{ key: "new", what: "new" }];
    return [{ key: "old", what: "old", fix: { plan: "p", apply: async () => undefined } }];
  });
  const view = await fixAll(FACTS, [worse]);
  expect(view.checks[0]?.troubles.map(({ what, fixed }) => [what, fixed])).toEqual([
    ["old", true],
    ["new", null],
  ]);
  expect(view.healthy).toBe(false);
});

test("a check that fails or hangs is a finding, and the other checks still run", async () => {
  const failing = check("a", () => Promise.reject(new Error("no /proc")));
  const failed = await examine(FACTS, [failing, check("b", async () => [])]);
  expect(failed.checks[0]?.troubles[0]?.what).toBe("cannot be checked: no /proc");
  const hanging = check("a", () => new Promise<Trouble[]>(() => undefined));
  const hung = await examine(factsWith(true), [hanging]);
  expect(hung.checks[0]?.troubles[0]).toMatchObject({
    what: "no answer within 4 s",
    hint: "the machine is probably busy: run `pawl doctor` again",
    unanswered: true,
  });
});
