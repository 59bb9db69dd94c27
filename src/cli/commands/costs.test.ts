import { expect, test } from "vitest";
import { pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { CostsView, CostView } from "../../api/costs.ts";

const row = (key: string, cost: number): CostView => ({
  key,
  input_tokens: 12_345,
  output_tokens: 678,
  cache_read_tokens: 1_000_000,
  cache_write_tokens: 0,
  sidechain_tokens: 0,
  cost_usd: cost,
  estimated_usd: 0,
});

const COSTS: CostsView = {
  by: "issue",
  rows: [row("toy#1", 1.5), row("toy#2", 0.25)],
  others: 0,
  total: row("total", 1.75),
  budgets: [],
};

test("costs are a table with a sum for people, and plain numbers for pipes", async () => {
  const answers = { "GET /v1/costs?by=issue&limit=100": COSTS };
  expect((await pawlOnTty(["costs"], { answers })).stdout).toMatchInlineSnapshot(`
    "ISSUE   INPUT  OUTPUT  CACHE READ  CACHE WRITE   COST
    toy#1  12,345     678   1,000,000            0  $1.50
    toy#2  12,345     678   1,000,000            0  $0.25
    total  12,345     678   1,000,000            0  $1.75
    "
  `);
  expect((await pawl(["costs"], { answers })).stdout).toMatchInlineSnapshot(`
    "toy#1	12345	678	1000000	0	1.5	0
    toy#2	12345	678	1000000	0	0.25	0
    "
  `);
});

test("budgets are shown to people below the costs, with what is spent of them", async () => {
  const budget = { project: "toy", tokens: 1200, usd: 3, estimated_usd: 0 };
  const budgets = [
    { ...budget, what: "day", tokens_max: 1000, usd_max: 20, spent: true },
    { ...budget, what: "run 1.1", tokens_max: null, usd_max: 5, spent: false },
    { ...budget, estimated_usd: 3, what: "run 2.1", tokens_max: null, usd_max: 3, spent: true },
    { ...budget, estimated_usd: 1, what: "run 3.1", tokens_max: null, usd_max: 5, spent: false },
    { ...budget, estimated_usd: 3, what: "run 4.1", tokens_max: 2000, usd_max: null, spent: false },
  ];
  const answers = { "GET /v1/costs?by=issue&limit=100": { ...COSTS, rows: [], budgets } };
  expect((await pawlOnTty(["costs"], { answers })).stdout).toMatchInlineSnapshot(`
    "
    BUDGET                     SPENT                    OF
    toy day      1,200 tokens, $3.00  1,000 tokens, $20.00  spent
    toy run 1.1                $3.00                 $5.00
    toy run 2.1                $3.00                 $3.00  spent  estimate
    toy run 3.1                $3.00                 $5.00         $1.00 of it is an estimate
    toy run 4.1         1,200 tokens          2,000 tokens
    "
  `);
  expect((await pawl(["costs"], { answers })).stdout).toBe("");
});

test("JSON has rows and total for every grouping", async () => {
  const answers = { "GET /v1/costs?by=day&limit=100&all=true": { ...COSTS, by: "day" } };
  const { stdout } = await pawl(["costs", "--by", "day", "--all", "--json"], { answers });
  expect(JSON.parse(stdout)).toMatchObject({ by: "day", total: { cost_usd: 1.75 } });
});

test("no usage is no failure", async () => {
  const answers = { "GET /v1/costs?by=issue&limit=100": { ...COSTS, rows: [] } };
  const { code, stdout, stderr } = await pawl(["costs"], { answers });
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "",
    stderr: "no agent has reported what it used yet\n",
  });
});

test("what is left out is said, with the way to see it", async () => {
  const answers = { "GET /v1/costs?by=issue&limit=1": { ...COSTS, others: 41 } };
  const { stderr } = await pawl(["costs", "--limit", "1"], { answers });
  expect(stderr).toBe(`41 more cost less each; --limit ${41 + COSTS.rows.length} shows all\n`);
});

test("a cost that is reckoned from tokens is called an estimate", async () => {
  const rows = [
    { ...row("codex", 2), estimated_usd: 2 },
    { ...row("both", 3), estimated_usd: 1 },
  ];
  const total = { ...row("total", 5), estimated_usd: 3 };
  const answers = { "GET /v1/costs?by=agent&limit=100": { ...COSTS, by: "agent", rows, total } };
  const { stdout, stderr } = await pawlOnTty(["costs", "--by", "agent"], { answers });
  expect(stdout).toMatch(/codex .* \$2\.00 {2}estimate\n/);
  expect(stdout).toMatch(/both .* \$3\.00 {2}\$1\.00 of it is an estimate\n/);
  expect(stderr).toContain("[[price]] in pawl.toml");
});

test("an issue's number is refused with where its cost is", async () => {
  expect(await pawl(["costs", "5"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `pawl: too many arguments for 'costs', which takes none: 5
hint: \`pawl costs\` has a line for each issue; \`pawl costs --by run\` has one for each run
`,
  });
});
