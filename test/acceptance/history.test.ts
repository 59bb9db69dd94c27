// What is over: listed page by page, found by its number, and out of the way of everything else.
import { expect, test } from "vitest";
import type { AgentView } from "../../src/api/agents.ts";
import { historySchema, type HistoryView } from "../../src/api/history.ts";
import { sessionFactory } from "../support/sessions.ts";

const WORKS = `
spool '{"v":1,"kind":"usage","tokens":600,"usd":0.5}'
echo work > "work-$PAWL_ISSUE.txt"
git add -A && git commit -qm "Work" && phase done
`;

test("runs that are over are listed page by page, with and without a daemon, and found by number", async () => {
  await using factory = await sessionFactory(WORKS, {});
  await factory.addIssue({ title: "First" });
  await factory.pawl("run", "--until-idle");
  const second = await factory.addIssue({ title: "Second" });
  await factory.pawl("run", "--until-idle");
  const page = async (...words: string[]): Promise<HistoryView> =>
    historySchema.parse(JSON.parse(await factory.ok("history", "--json", ...words)));
  const newest = await page("--limit", "1");
  expect(newest.rows).toMatchObject([{ reference: String(second), title: "Second", kind: "run" }]);
  const older = await page("--limit", "1", "--after", newest.next ?? "");
  expect(older).toMatchObject({ rows: [{ reference: "1", outcome: "landed" }], next: null });
  expect((await page("--kind", "gate", "--all-projects")).rows).toEqual([]);
  const ended = /^the last run \(1\.1\) landed as (\S{10}), (?:\d+ (?:s|min) ago|just now)$/m;
  const [, commit] = ended.exec(await factory.ok("why", "1")) ?? [];
  expect(factory.git("log", "--format=%h", "--abbrev=10", "main").split("\n")).toContain(commit);
  const agents = async (...words: string[]): Promise<AgentView[]> =>
    JSON.parse(await factory.ok("agents", "--json", ...words)) as AgentView[];
  expect(await agents()).toEqual([]);
  const past = (await agents("--include-ended")).filter(({ role }) => role === "dev");
  expect(past.map(({ identity }) => identity)).toEqual(["dev-1", `dev-${second}`]);
  await factory.daemon();
  expect((await page()).rows.map(({ id }) => id)).toEqual([`${second}.1`, "1.1"]);
});
