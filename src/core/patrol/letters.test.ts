import { expect, test } from "vitest";
import { emptyOutput } from "../effect.ts";
import { projectName } from "../ids.ts";
import { acknowledge, lookOutside, writeTo } from "./letters.ts";
import { newPatrol } from "./patrol.ts";

test("a patrol writes and acknowledges in its own name", () => {
  const output = emptyOutput();
  const patrol = newPatrol(projectName("toy"), "witness");
  const letter = { subject: "s", body: "b", priority: "low" } as const;
  writeTo("deacon", { patrol, letter }, { at: 1, output });
  acknowledge(patrol, "3", { at: 1, output });
  expect(output.tells).toEqual([
    {
      to: "mail:toy",
      event: {
        kind: "mail-sent",
        at: 1,
        project: "toy",
        letter: { from: "witness", to: "deacon", ...letter },
      },
    },
    { to: "mail:toy", event: { kind: "mail-acknowledged", at: 1, id: "3", by: "witness" } },
  ]);
});

test("one look answers all that ask for one", () => {
  const output = emptyOutput();
  const patrol = newPatrol(projectName("toy"), "deacon");
  expect(lookOutside(patrol, { at: 1, output })).toBe(patrol);
  expect(output.effects).toMatchObject([
    { key: "patrol:toy/deacon:look", effect: { kind: "look-outside" } },
  ]);
});
