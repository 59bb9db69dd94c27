// The user's repository is not where it was for some seconds: it is renamed and comes back. Work waits
// for it, no person is asked, and it lands afterwards.
import { renameSync } from "node:fs";
import { expect, test } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import { sessionFactory } from "../support/sessions.ts";

const AGENT = `
echo one > one.txt; git add -A; git commit -q -m One
await go
phase awaiting_ci
message landed
`;

/** How long a person took to rename it and to think better of it. */
const AWAY_MS = 8000;

test("a repository that is renamed for 8 seconds is waited for, without a question to a person", async () => {
  await using factory = await sessionFactory(AGENT);
  await factory.addIssue({ title: "One" });
  await factory.daemon();
  await factory.started(1);
  const away = `${factory.repo}-away`;
  const back = Date.now() + AWAY_MS;
  renameSync(factory.repo, away);
  try {
    factory.allow("go");
    await factory.until("status says what is the matter", async () => {
      const { waits } = await factory.status();
      return waits.some(({ why }) => why.includes(factory.repo));
    });
    await factory.until("it was away for 8 seconds", async () => Date.now() > back);
    const asked = await factory.client.get<EscalationView[]>("/v1/escalations");
    expect(asked).toEqual([]);
    expect((await factory.runOf(1)).outcome).toBe(null);
  } finally {
    renameSync(away, factory.repo);
  }
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect(JSON.parse(await factory.ok("escalation", "list", "--json"))).toEqual([]);
  expect(factory.git("show", "main:one.txt")).toBe("one");
});
