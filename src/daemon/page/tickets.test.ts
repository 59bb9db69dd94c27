import { expect, test } from "vitest";
import { Tickets } from "./tickets.ts";

const GIVEN = { device: "d1", project: "toy", ref: "1" };

test("a ticket works once, for what it was given for", () => {
  const tickets = new Tickets(() => 0);
  const ticket = tickets.give(GIVEN);
  expect([tickets.use(ticket), tickets.use(ticket), tickets.use("other")]).toEqual([
    GIVEN,
    undefined,
    undefined,
  ]);
});

test("a ticket is of no use after ten seconds, and many that are never used take no memory", () => {
  let now = 0;
  const tickets = new Tickets(() => now);
  const first = tickets.give(GIVEN);
  now = 10_000;
  expect(tickets.use(first)).toBeUndefined();
  const second = tickets.give(GIVEN);
  for (let count = 0; count < 100; count++) tickets.give(GIVEN);
  expect(tickets.use(second)).toBeUndefined();
});
