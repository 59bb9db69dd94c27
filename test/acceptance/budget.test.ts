// Issue 6, item 5: budgets per run and day, with an agent that tells what it used.
import { expect, test } from "vitest";
import type { CostsView } from "../../src/api/costs.ts";
import { openPty } from "../support/pty.ts";
import { sessionFactory } from "../support/sessions.ts";

const POLITE = `
if [ "$PAWL_EPOCH" = 1 ]; then
  echo half > half.txt
  spool '{"v":1,"kind":"usage","tokens":600,"usd":0.5}'
  spool '{"v":1,"kind":"usage","tokens":1200,"usd":1}'
  cp "$(message hand-off)" "$SEEN/request"
  exit 0
fi
spool '{"v":1,"kind":"usage","tokens":900}'
git add -A && git commit -qm "Whole" && phase done
`;

test("a spent run is saved and asked about (exit 8), and an answer allows one more budget", async () => {
  await using factory = await sessionFactory(POLITE, { budget: "run = { tokens = 1000 }" });
  await factory.addIssue({ title: "Spend" });
  const { code, stdout, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stdout + stderr]).toEqual([8, expect.stringContaining("budget: run spent")]);
  expect(factory.left("request")).toContain("The budget of this run is spent.");
  const saved = factory.gitIn(
    `${factory.projectDir}/hub.git`,
    "show",
    "refs/pawl/checkpoints/dev-1:half.txt",
  );
  expect(saved).toBe("half");
  const asked = JSON.parse(await factory.ok("costs", "--json")) as CostsView;
  expect(asked.rows).toMatchObject([{ key: `${factory.project}#1`, input_tokens: 1200 }]);
  expect(asked.budgets).toMatchObject([
    { what: "run 1.1", tokens: 1200, tokens_max: 1000, spent: true },
  ]);
  await factory.ok("escalation", "answer", "1", "Go on.");
  expect((await factory.pawl("run", "--until-idle")).code).toBe(0);
  expect(factory.subjects()).toContain("Whole");
  const { total } = JSON.parse(await factory.ok("costs", "--json")) as CostsView;
  expect(total.input_tokens).toBe(2100);
});

const SPENDS = `
spool '{"v":1,"kind":"usage","tokens":600,"usd":2.5}'
await never
`;

test("without a budget, costs shows what an agent used while it works", async () => {
  await using factory = await sessionFactory(SPENDS, {});
  await factory.addIssue({ title: "Spend" });
  await factory.daemon();
  const costs = async () => JSON.parse(await factory.ok("costs", "--json")) as CostsView;
  await factory.until("the use is booked", async () => (await costs()).rows.length > 0);
  expect((await costs()).rows).toMatchObject([{ input_tokens: 600, cost_usd: 2.5 }]);
  expect(await factory.runOf(1)).toMatchObject({ alive: true });
});

const TELLS_TOKENS = `
spool '{"v":1,"kind":"usage","model":"gpt-5.4","input_tokens":1000000,"output_tokens":100000,"cache_read_tokens":2000000}'
cp "$(message hand-off)" "$SEEN/request"
await never
`;

test("the cost of an agent that tells tokens alone is estimated while it works, and a budget in dollars stops it", async () => {
  await using factory = await sessionFactory(TELLS_TOKENS, { budget: "run = { usd = 3 }" });
  await factory.addIssue({ title: "Spend" });
  await factory.daemon();
  await factory.until("it is told to save its work", async () => factory.left("request"));
  expect(factory.left("request")).toContain("The budget of this run is spent.");
  expect(await factory.runOf(1)).toMatchObject({ alive: true, cost_usd: 4.5 });
  const costs = JSON.parse(await factory.ok("costs", "--by", "model", "--json")) as CostsView;
  expect(costs.rows).toMatchObject([
    {
      key: "gpt-5.4",
      input_tokens: 1_000_000,
      output_tokens: 100_000,
      cache_read_tokens: 2_000_000,
      cost_usd: 4.5,
      estimated_usd: 4.5,
    },
  ]);
  expect(costs.budgets).toMatchObject([
    { what: "run 1.1", usd: 4.5, estimated_usd: 4.5, usd_max: 3, spent: true },
  ]);
  // Wherever the money is named, it is called an estimate.
  const words = "budget: run spent $4.50 of $3.00 (estimated from tokens)";
  expect(await factory.ok("escalation", "list")).toContain(words);
  expect(await factory.ok("why", "1")).toContain(words);
  const shows = async (command: string, line: RegExp): Promise<void> => {
    using screen = openPty(factory, { columns: 160, rows: 30 }, [command]);
    await factory.until(`pawl ${command} shows it`, async () =>
      screen.screen().some((text) => line.test(text)),
    );
  };
  await shows("top", / · \$4\.50 \(estimate\) today/);
  await shows("costs", /run 1\.1 +\$4\.50 +\$3\.00 +spent +estimate/);
});

const STEADY = `
spool '{"v":1,"kind":"usage","tokens":600,"usd":2.5}'
await never
`;

test("a spent day starts no further agent, also after a restart, and status, why and costs say so", async () => {
  await using factory = await sessionFactory(STEADY, { budget: "day = { usd = 2 }" });
  await factory.addIssue({ title: "First" });
  const daemon = await factory.daemon();
  await factory.started(1);
  const restarted = async (before: typeof daemon): Promise<typeof daemon> => {
    before.kill("SIGTERM");
    await before.ended;
    return factory.daemon();
  };
  const closed = () => factory.status().then(({ projects }) => projects[0]?.paused);
  const words = "budget: day spent $2.50 of $2.00, until ";
  await factory.until("the day is spent", async () => (await closed())?.startsWith(words));
  await factory.addIssue({ title: "Second" });
  const again = await restarted(daemon);
  await factory.until("the second issue is seen", async () => {
    const why = await factory.ok("why", "2");
    return why.includes("the project is paused: budget: day spent $2.50 of $2.00, for ");
  });
  expect((await factory.status()).runs.map(({ issue }) => issue)).toEqual([1]);
  expect(await factory.ok("status")).toContain(
    "budget\tday spent $2.50 of $2.00; no agent starts until ",
  );
  expect(await factory.ok("why", "1")).toContain("a budget is spent: day spent $2.50 of $2.00");
  const { budgets } = JSON.parse(await factory.ok("costs", "--json")) as CostsView;
  expect(budgets).toMatchObject([{ what: "day", usd: 2.5, usd_max: 2, spent: true }]);
  // A person allows as much again: the second issue gets its agent, which spends that, too.
  expect(await factory.ok("escalation", "list", "--json")).toContain("allow as much again today");
  await factory.ok("escalation", "answer", "budget", "allow as much again today");
  await factory.started(1, "2");
  await factory.until("the day is spent again", async () =>
    (await closed())?.startsWith("budget: day spent $5.00 of $4.50, until "),
  );
  expect((await factory.pawl("escalation", "answer", "budget", "no")).code).not.toBe(0);
  await factory.addIssue({ title: "Third" });
  // A larger budget is enough for the third issue to get its agent.
  const config = factory.read("repo", "pawl.toml").replace("usd = 2 }", "usd = 200 }");
  factory.commit({ "pawl.toml": config }, "Allow more");
  await restarted(again);
  await factory.started(1, "3");
});
