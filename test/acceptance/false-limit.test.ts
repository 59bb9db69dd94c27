// An agent that reports a usage limit which does not exist, for a thousand years: Pawl believes it for eight days
// at most, and status and why name the reported reason. Other accounts: choosing-agents.test.ts.
import { expect, test } from "vitest";
import { sessionFactory } from "../support/sessions.ts";

const AGENT = `
spool '{"v":1,"kind":"limit","until":33000000000,"reason":"because I say so"}'
await never
`;
const DAYS_MAX_MS = 8 * 24 * 3_600_000;

test("a limit that an agent makes up pauses its own account for eight days at most, and is named as its reason", async () => {
  await using factory = await sessionFactory(AGENT);
  await factory.addIssue({ title: "Make up a limit" });
  await factory.daemon();
  const said = await factory.until("the limit is known", async () => {
    const paused = (await factory.status()).projects[0]?.paused;
    return paused?.includes("because I say so") === true && paused;
  });
  const until = Date.parse(/until (\S+Z)/.exec(String(said))?.[1] ?? "");
  expect(until - Date.now()).toBeLessThanOrEqual(DAYS_MAX_MS);
  expect(until - Date.now()).toBeGreaterThan(0);
  expect(await factory.ok("why", "1")).toContain("because I say so");
  expect(await factory.ok("status")).toContain("because I say so");
});
