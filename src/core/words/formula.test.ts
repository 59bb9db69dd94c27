import { expect, test } from "vitest";
import { formulaFailed, gateNotForMail, gateOverdue, gatePassed, gateWaits } from "./formula.ts";

test("a failed formula says why, and where to look", () => {
  expect(formulaFailed("release.1", "tag: exit 1")).toMatchInlineSnapshot(`
    {
      "body": "tag: exit 1

    pawl formula status release.1 shows every step.",
      "title": "formula release.1 failed",
    }
  `);
});

test("a gate says what it waits for, and which command closes it", () => {
  const gate = { id: "g1", title: "Ship?" };
  expect([gateWaits(gate), gateOverdue(gate)]).toMatchInlineSnapshot(`
    [
      {
        "body": "pawl escalation answer gate:g1 "close: why" closes it, "refuse: why" refuses it, "wait" asks you again later.",
        "title": "gate g1 waits for you: Ship?",
      },
      {
        "body": "It has been open longer than expected; pawl gate list shows its condition. pawl escalation answer gate:g1 "close: why" closes it, "refuse: why" refuses it, "wait" asks you again later.",
        "title": "gate g1 is still open: Ship?",
      },
    ]
  `);
  expect(gateNotForMail(gate).subject).toBe("gate g1 is not closed by letters: Ship?");
  expect(gatePassed(gate, { by: "ada", met: false, reason: "no" })).toMatchInlineSnapshot(`
    {
      "body": "It was refused (by ada): no",
      "subject": "gate g1 is refused: Ship?",
    }
  `);
});
