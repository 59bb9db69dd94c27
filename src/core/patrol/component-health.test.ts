import { expect, test } from "vitest";
import { emptyOutput, type Output } from "../effect.ts";
import { projectName } from "../ids.ts";
import { restartByHand, scanHealth } from "./component-health.ts";
import { newPatrol, type Patrol } from "./patrol.ts";

function scan(patrol: Patrol, ok: boolean, at: number): { patrol: Patrol; output: Output } {
  const output = emptyOutput();
  const facts = [{ name: "observer", ok, detail: ok ? "" : "no answer" }];
  return { patrol: scanHealth(patrol, { step: "health-scan", facts }, { at, output }), output };
}

const start = (): Patrol => newPatrol(projectName("toy"), "deacon");

test("1–2 rounds are noted, 3–4 start it again, 5 is put before the operator, once", () => {
  let patrol = start();
  const did: string[] = [];
  for (let cycle = 1; cycle <= 8; cycle += 1) {
    const round = scan(patrol, false, cycle);
    patrol = round.patrol;
    const effects = round.output.effects.map(({ effect }) => effect.kind);
    const letters = round.output.tells.map(({ event }) => event.kind);
    did.push([...effects, ...letters].join() || "noted");
  }
  expect(did).toEqual([
    "noted",
    "noted",
    "restart-component",
    "restart-component",
    "mail-sent",
    "noted",
    "noted",
    "noted",
  ]);
  expect(patrol.health["observer"]).toMatchObject({ unresponsive: 8 });
});

test("two starts in a row are two obligations", () => {
  let patrol = start();
  const keys: string[] = [];
  for (let cycle = 1; cycle <= 4; cycle += 1) {
    const round = scan(patrol, false, cycle);
    patrol = round.patrol;
    keys.push(...round.output.effects.map(({ key }) => key));
  }
  expect(new Set(keys).size).toBe(2);
});

test("a normal answer resets the count, and one that was normal before writes nothing", () => {
  const ill = scan(scan(start(), false, 1).patrol, false, 2).patrol;
  const well = scan(ill, true, 3).patrol;
  expect(well.health["observer"]).toEqual({ unresponsive: 0, lastHealthy: 3, detail: "" });
  expect(scan(well, true, 4).patrol).toBe(well);
  const first = scan(start(), true, 1).patrol;
  expect(first.health["observer"]).toEqual({ unresponsive: 0, lastHealthy: 1, detail: "" });
  expect(scan(first, true, 2).patrol).toBe(first);
  expect(scan(well, false, 5).patrol.health["observer"]?.unresponsive).toBe(1);
});

test("the last healthy round is the one before the first that was not", () => {
  const output = emptyOutput();
  const facts = [{ name: "observer", ok: false, detail: "no answer" }];
  const scanAt = (patrol: Patrol, at: number, previousAt: number): Patrol =>
    scanHealth(patrol, { step: "health-scan", facts, previousAt }, { at, output });
  const well = scan(start(), true, 1).patrol;
  const ill = scanAt(well, 50, 40);
  expect(ill.health["observer"]?.lastHealthy).toBe(40);
  expect(scanAt(ill, 60, 50).health["observer"]?.lastHealthy).toBe(40);
});

test("a part that a person restarts is started again, and its count is forgotten", () => {
  const ill = scan(scan(start(), false, 1).patrol, false, 2).patrol;
  const output = emptyOutput();
  const next = restartByHand(ill, { component: "observer", by: "ann" }, { at: 3, output });
  expect(next.health["observer"]?.unresponsive).toBe(0);
  expect(next.notes["health-scan"]?.text).toBe("observer is restarted by ann");
  expect(output.effects.map(({ effect }) => effect)).toEqual([
    { kind: "restart-component", component: "observer" },
  ]);
});
