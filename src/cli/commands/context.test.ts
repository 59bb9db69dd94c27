import { expect, test } from "vitest";
import { pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const agent = (name: string, more: object = {}): object => ({
  identity: `dev-${name}`,
  project: "toy",
  session_id: `dev-${name}-1@toy`,
  run: `${name}.1`,
  bead_id: name,
  status: "active",
  context: { percent: 72, urgency: "medium", symptoms: [] },
  ...more,
});

const WORLD = {
  answers: {
    "GET /v1/agents": [
      agent("7"),
      agent("8", { context: { percent: null, urgency: "low", symptoms: ["compaction"] } }),
      agent("9", { status: "crashed" }),
      agent("0", { context: null }),
    ],
  },
};

test("the use of living agents is listed, measured or guessed", async () => {
  expect((await pawlOnTty(["context", "usage"], WORLD)).stdout).toMatchInlineSnapshot(`
    "AGENT  PROJECT  CONTEXT  URGENCY  SYMPTOMS
    dev-7  toy         72 %  medium
    dev-8  toy               low      compaction
    "
  `);
  const one = await pawl(["context", "usage", "#8", "--json"], WORLD);
  expect(JSON.parse(one.stdout)).toEqual([
    {
      identity: "dev-8",
      project: "toy",
      session_id: "dev-8-1@toy",
      percent: null,
      urgency: "low",
      symptoms: ["compaction"],
    },
  ]);
});

test("an agent reports its own use into its spool; what is not a percentage is refused", async () => {
  const env = { PAWL_SPOOL: "/s" };
  const said = await pawl(["context", "report", "72%"], { env });
  expect(Object.values(said.written).map((text) => JSON.parse(text))).toMatchObject([
    { kind: "context", percent: 72 },
  ]);
  for (const text of ["101", "-1", "much", ""]) {
    expect((await pawl(["context", "report", "--", text], { env })).code).toBe(2);
  }
});
