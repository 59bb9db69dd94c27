// Lists that can grow are given in pages to a program that asks for them.
import { expect, test } from "vitest";
import { askDaemon } from "../support/ask-daemon.ts";
import { ASKS, LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";

const LISTS = [
  "agents",
  "escalations",
  "gates?all=true",
  "issues?state=all",
  "mail?for=operator",
  "signals?after=0",
];

/** All pages of one row each. */
async function pages(factory: Factory, list: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let after: string | undefined; ;) {
    const url = new URL(`/v1/${list}`, "http://pawl");
    url.searchParams.set("limit", "1");
    if (after !== undefined) url.searchParams.set("after", after);
    const { status, text, headers } = await askDaemon(factory, `${url.pathname}${url.search}`);
    expect(status, text).toBe(200);
    rows.push(...(JSON.parse(text) as unknown[]));
    const next = headers["x-pawl-next"];
    if (next === undefined) return rows;
    after = String(next);
  }
}

test("the pages of every list that grows are together the whole list", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}${TEST_GATE}${LIMITS}`,
    files: { "test.sh": "true\n", "agent.sh": ASKS },
  });
  await factory.ok("up");
  for (const title of ["one", "two"]) {
    await factory.addIssue({ title });
    await factory.ok("gate", "create", "--type", "human", "--question", `${title}?`);
    await factory.ok("mail", "send", "operator", "--subject", title, "--body", "x");
  }
  await factory.until("both ask", async () => {
    const { runs } = await factory.status();
    return runs.filter(({ stage }) => stage === "escalated").length === 2;
  });
  for (const list of LISTS) {
    const whole = JSON.parse((await askDaemon(factory, `/v1/${list}`)).text) as unknown[];
    expect(whole.length, list).toBeGreaterThan(1);
    const names = (rows: unknown[]): unknown[] =>
      rows.map((row) => {
        const { id, identity, number, seq } = row as Record<string, unknown>;
        return { id, identity, number, seq };
      });
    const paged = names(await pages(factory, list));
    // Signals may have come meanwhile.
    expect(paged.slice(0, whole.length), list).toEqual(names(whole));
  }

  const first = await factory.pawl("issue", "list", "--limit", "1");
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1\tone\t/) as string });
  expect(first.stderr).toBe("there are more: --after 1, or --all for every one\n");
  const second = await factory.pawl("issue", "list", "--limit", "1", "--after", "1");
  expect(second.stdout).toMatch(/^2\ttwo\t/);
  expect(second.stderr).toBe("");
  expect((await factory.ok("issue", "list", "--all")).split("\n")).toHaveLength(2);
  expect(await factory.ok("costs", "--limit", "1", "--by", "issue")).toBe("");
  // The same without a daemon.
  await factory.ok("down");
  expect(await factory.pawl("issue", "list", "--limit", "1")).toEqual(first);
  expect(await factory.pawl("issue", "list", "--limit", "1", "--after", "1")).toEqual(second);
});
