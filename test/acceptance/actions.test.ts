// The action role through the commands a user types: an `action` issue is carried out by an agent or
// by the formula that its front matter names, and settled on the issue.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { IssueView } from "../../src/api/issues.ts";
import { LIMITS, makeFactory, PATIENCE_MS, SCRIPT_AGENT, shellAgent } from "../support/pawl.ts";

const AGENT = `
case $PAWL_ROLE in
  action)
    if [ "$PAWL_NAME" = 2 ]; then echo cleaned > disk && git add disk && git commit -qm "Clean the disk"; fi
    grep -q "remove the logs" "$PAWL_PROMPT_FILE" && printf 'Removed the logs.' > "$PAWL_RESULT_FILE"
    echo PHASE:done > "$PAWL_PHASE_FILE" ;;
esac
while :; do sleep 0.1; done
`;
const SWEEP = `name = "sweep"
[vars.who]
required = true
[[steps]]
id = "sweep"
run = 'echo "$PAWL_VAR_WHO" >> "$HOME/swept"; [ "$PAWL_VAR_WHO" != nobody ]'
`;

test("action issues: reported and closed, landed, run by formula, or blocked with the reason", async () => {
  await using factory = await makeFactory({
    config: `${shellAgent()}[ci]\nnone = true\n${LIMITS}`,
    files: { "agent.sh": AGENT, ".pawl/formulas/sweep.toml": SWEEP },
  });
  const add = (title: string, body: string): Promise<string> =>
    factory.ok("issue", "add", "--title", title, "--body", body, "--label", "action");
  await add("Clean up", "Please remove the logs.");
  await add("Clean the disk", "Please remove the logs, and say so in a file.");
  await add("Sweep", "---\nformula: sweep\nvars:\n  who: Ada\n---\nAs every week.");
  await add("Sweep nothing", "---\nformula: sweep\nvars:\n  who: nobody\n---\n");
  await add("Sweep badly", "---\nformula: swep\n---\n");
  await factory.pawl("run", "--until-idle");

  const issues = JSON.parse(
    await factory.ok("issue", "list", "--state", "all", "--json"),
  ) as IssueView[];
  expect(issues.map(({ number, state, labels }) => [number, state, labels])).toEqual([
    [1, "closed", ["action"]],
    [2, "closed", ["action"]],
    [3, "closed", ["action"]],
    [4, "open", ["action", "blocked"]],
    [5, "open", ["action", "blocked"]],
  ]);
  expect(await factory.ok("issue", "show", "1")).toContain("Removed the logs.");
  expect(factory.git("show", "main:disk")).toBe("cleaned");
  expect(await factory.ok("issue", "show", "4")).toContain("exit 1");
  expect(await factory.ok("issue", "show", "5")).toContain('did you mean "sweep"?');
  // Nothing is begun again by itself.
  await factory.pawl("run", "--until-idle");
  expect(await factory.ok("agents", "--json")).toBe("[]");
});

// Each of them is several commits to the journal: on a busy machine that takes minutes.
const MANY = { timeout: 600_000 };

test(
  "more than a thousand operations at once are taken in, portion by portion, and other work goes on",
  MANY,
  async () => {
    await using factory = await makeFactory({
      config: `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}`,
      patienceMs: PATIENCE_MS,
    });
    // There is no such formula: each is answered on its issue as soon as it is begun.
    const operations = Array.from({ length: 1_001 }, (_, index) => ({
      title: `Sweep ${index + 1}`,
      body: "---\nformula: swep\n---\n",
      labels: ["action"],
    }));
    const file = join(factory.root, "operations.json");
    const other = { title: "Then build this", body: "```sh\ntouch built\n```\n" };
    writeFileSync(file, JSON.stringify([...operations, other]));
    // Without a daemon, so that its first look sees them all.
    await factory.ok("issue", "import", file);
    const listed = async (...more: string[]): Promise<IssueView[]> =>
      JSON.parse(await factory.ok("issue", "list", "--all", "--json", ...more)) as IssueView[];
    expect(await listed("--label", "action")).toHaveLength(operations.length);

    await factory.ok("up");
    await factory.until("other work lands", async () => factory.subjects().length > 0);
    // A hundred are begun with each look, in the order of their numbers: the rest has its turn too.
    for (const number of [1, 100, 101]) {
      await factory.until(`#${number} is answered`, async () => {
        const { labels } = await factory.client.get<IssueView>(`/v1/issues/${number}`);
        return labels.includes("blocked");
      });
      expect(await factory.ok("issue", "show", String(number))).toContain("swep");
    }
    // The daemon still works: what is filed now lands as well.
    await factory.ok("issue", "add", "--title", "And this", "--body", "```sh\ntouch too\n```\n");
    await factory.until("that lands too", async () => factory.subjects().length > 1);
  },
);
