import { expect, test } from "vitest";
import type { GateView } from "../../api/gates.ts";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const gate = (id: string, more: Partial<GateView> = {}): GateView => ({
  id,
  project: "toy",
  type: "human",
  title: "Ship?",
  waits_for: "human: Ship?",
  state: "open",
  by: "ada",
  opened_at: ago(5),
  due_at: null,
  escalates_at: null,
  seen: "",
  waiters: ["dev-42"],
  closed_at: null,
  closed_by: null,
  reason: null,
  ...more,
});

const CLOSED = gate("g2", {
  state: "refused",
  closed_at: ago(1),
  reason: "no",
  waiters: ["release.1"],
});

test("open gates are listed, closed ones where asked", async () => {
  const open = gate("g1", { state: "overdue", seen: "it is open" });
  const answers = { "GET /v1/gates": [open], "GET /v1/gates?all=true": [open, CLOSED] };
  expect((await pawlOnTty(["gate", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "GATE  STATE    WAITS FOR     SEEN        WAITERS  OPENED
    g1    overdue  human: Ship?  it is open  dev-42   5 min ago
    "
  `);
  expect((await pawl(["gate", "list", "--all"], { answers })).stdout).toMatchInlineSnapshot(`
    "g1	overdue	human: Ship?	it is open	dev-42	2026-03-01T11:55:00.000Z
    g2	refused	human: Ship?	no	release.1	2026-03-01T11:55:00.000Z
    "
  `);
  const json = await pawl(["gate", "list", "--all", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toHaveLength(2);
});

test("a gate is created with the keys that formulas use, and its id printed", async () => {
  const made = await pawl(
    ["gate", "create", "--type", "pr", "--await-id", "43", "--waiter", "dev-42"],
    { answers: { "POST /v1/gates": gate("g1") } },
  );
  expect([made.stdout, made.calls]).toEqual([
    "g1\n",
    [
      [
        "POST /v1/gates",
        {
          gate: { type: "pr", await_id: "43" },
          title: "pr",
          waiters: ["dev-42"],
          key: "key-1",
          by: "ada",
        },
      ],
    ],
  ]);
});

test("closing takes a reason, and may refuse", async () => {
  const answers = { "POST /v1/gates/release.1.ship/close": CLOSED };
  expect((await pawl(["gate", "close", "release.1.ship"], { answers })).code).toBe(2);
  const refused = await pawl(["gate", "close", "release.1.ship", "--refuse", "--reason", "no"], {
    answers,
  });
  expect(refused.stderr).toBe("gate g2 is refused\n");
  expect(refused.calls[0]?.[1]).toEqual({ reason: "no", met: false, by: "ada" });
});

test("a check exits 8 where something stays open", async () => {
  const open = { "POST /v1/gates/check": [gate("g1")] };
  expect((await pawl(["gate", "check"], { answers: open })).code).toBe(8);
  const closed = { "POST /v1/gates/check?gate=g2": [CLOSED] };
  expect((await pawl(["gate", "check", "g2"], { answers: closed })).code).toBe(0);
});

test("an agent closes no gate", async () => {
  const words = ["gate", "close", "g1", "--reason", "x"];
  expect(await pawl(words, { env: { PAWL_SPOOL: "/x" } })).toMatchObject({ code: 4, calls: [] });
});
