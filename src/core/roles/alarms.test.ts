import { expect, test } from "vitest";
import type { Gate } from "../gate/gate.ts";
import { alarmsOf } from "./alarms.ts";
import { found } from "./finding.ts";

const DAY_MS = 86_400_000;
const gate = (id: string): Gate => ({ id, key: `key of ${id}` }) as Gate;

test("what is pressing is asked about, once a day, and what is over is withdrawn", () => {
  const findings = [
    found("P0", "memory", "100 MB of memory are free"),
    found("P2", "queue:a gate: is red!", "the merge queue is stopped"),
    found("P3", "pr:1", "PR #1: no change for an hour"),
  ];
  const { raised, over } = alarmsOf(
    findings,
    [gate("alarm-memory"), gate("alarm-disk"), gate("gardener-asks-1")],
    3 * DAY_MS + 5,
  );
  expect(raised.map(({ id, key, title }) => [id, key, title])).toEqual([
    ["alarm-memory", "alarm:memory:3", "P0: 100 MB of memory are free"],
    [
      "alarm-queue-a-gate-is-red",
      "alarm:queue:a gate: is red!:3",
      "P2: the merge queue is stopped",
    ],
  ]);
  expect(over.map(({ id }) => id)).toEqual(["alarm-disk"]);
});
