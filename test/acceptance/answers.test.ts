// What programs read (`--json`) is what the schemas in src/api promise: the client checks each answer,
// here while a factory has work, a question and a past, and in all other acceptance tests.
import { expect, test } from "vitest";
import { ASKS, LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";

const READS = [
  "agents",
  "checkpoint list 1",
  "checkpoint show 1",
  "ci list",
  "ci status 1",
  "ci logs 1",
  "costs",
  "doctor",
  "escalation list",
  "escalation show 1",
  "formula list",
  "formula show tour",
  "formula status",
  "gate list --all",
  "history",
  "history --kind gate",
  "issue deps",
  "issue list",
  "issue show 1",
  "mail inbox --all",
  "notify list",
  "patrol status",
  "plugin list",
  "plugin log",
  "pr list",
  "merge-queue status",
  "role log",
  "run --dry-run",
  "schedule list",
  "signals",
  "status",
  "vault list",
  "why 1",
];

test("every answer matches its schema, with a question open and after a landing", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "test.sh": "true\n", "agent.sh": ASKS },
  });
  await factory.ok("init", "--yes");
  await factory.ok("up");
  await factory.addIssue({ title: "Paint it" });
  const readAll = async (): Promise<string[]> => {
    const refused: string[] = [];
    for (const read of READS) {
      const { stderr } = await factory.pawl(...read.split(" "), "--json");
      if (stderr.includes("does not match its schema")) refused.push(`${read}: ${stderr}`);
    }
    return refused;
  };
  await factory.until("it asks", async () => {
    const [run] = (await factory.status()).runs;
    return run?.stage === "escalated";
  });
  expect(await readAll()).toEqual([]);
  await factory.ok("escalation", "answer", "1", "blue");
  await factory.until("it has landed", async () => (await factory.status()).landed.length === 1);
  expect(await readAll()).toEqual([]);
});
