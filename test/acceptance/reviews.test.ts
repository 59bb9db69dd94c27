// The review role through the commands a user types: approved, sent back and approved, given up on.
import { expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}[review]\nrole = true\n${LIMITS}`;

const block = (tag: string, ...lines: string[]): string =>
  ["```" + tag, ...lines, "```", ""].join("\n");

const answer = (verdict: string, markdown: string, more = ""): string =>
  `printf '%s' '{"verdict":"${verdict}","verdict_reason":"because","review_markdown":"${markdown}"${more}}' > "$PAWL_RESULT_FILE"`;

type PrWithReviews = {
  reviews: { author: string; verdict: string; body: string; dismissed: boolean; head: string }[];
};

test("a green branch is reviewed by an agent: sent back once, fixed, approved and landed", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const followups = `,"followups":[{"title":"Tidy the greeting","body":"Later."}]`;
  const body = [
    block("sh", "echo hello > greeting.txt"),
    block("sh on-review", 'cp "$PAWL_MESSAGE_FILE" "$HOME/told"', "echo world >> greeting.txt"),
    // The workspace of a reviewer is the merged result, and the prompt has the difference.
    block(
      "sh review",
      'cp "$PAWL_PROMPT_FILE" "$HOME/brief-$PAWL_EPOCH"',
      'test -z "${PAWL_ISSUE-}"',
      "if grep -q world greeting.txt; then",
      answer("approve", "Now it greets.", followups),
      "else",
      answer("request-changes", "Greet the world.", followups),
      "fi",
    ),
  ].join("\n");
  await factory.addIssue({ title: "Greet", body });
  const ran = await factory.pawl("run", "--until-idle");
  expect(ran.code, ran.stderr).toBe(0);
  expect(factory.git("show", "main:greeting.txt")).toBe("hello\nworld");
  expect(factory.read("user", "told")).toContain("Greet the world.");

  const [pr] = JSON.parse(await factory.ok("pr", "list", "--state", "all", "--json")) as {
    number: number;
  }[];
  const shown = JSON.parse(
    await factory.ok("pr", "show", String(pr?.number), "--json"),
  ) as PrWithReviews;
  expect(
    shown.reviews.map(({ author, verdict, dismissed }) => [author, verdict, dismissed]),
  ).toEqual([
    ["pawl-review", "request-changes", true],
    ["pawl-review", "approve", false],
  ]);
  const comments = await factory.ok("pr", "show", String(pr?.number), "--json");
  expect(comments).toContain("**APPROVE** — because");

  const second = factory.read("user", "brief-2");
  expect(second).toContain("## This was reviewed before");
  expect(second).toContain("Greet the world.");
  expect(second).toContain("+world");
  expect(factory.read("user", "brief-1")).toContain("+hello");

  const debt = JSON.parse(await factory.ok("issue", "list", "--json")) as {
    title: string;
    labels: string[];
  }[];
  expect(debt).toMatchObject([{ title: "Tidy the greeting", labels: ["tech-debt"] }]);
  const { runs } = await factory.status();
  const reviewer = runs.filter(({ role }) => role === "review");
  expect(reviewer.map(({ outcome, issue }) => [outcome, issue])).toEqual([
    ["answered", null],
    ["answered", null],
  ]);
});

test("a review that fails three times is given up on, and a person decides", async () => {
  await using factory = await makeFactory({ config: CONFIG });
  const body = [
    block("sh", "echo hello > greeting.txt"),
    block("sh review", 'echo LGTM > "$PAWL_RESULT_FILE"'),
  ].join("\n");
  await factory.addIssue({ title: "Greet", body });
  const asked = await factory.pawl("run", "--until-idle");
  expect(asked.code, asked.stderr).toBe(8);
  expect(asked.stderr).toContain("the review failed 3 times");
  expect(factory.subjects()).toEqual([]);
  const { runs } = await factory.status();
  expect(
    runs.filter(({ role, outcome }) => role === "review" && outcome === "blocked"),
  ).toHaveLength(3);
  const pr = String((await factory.runOf(1)).pr);
  await factory.ok("pr", "review", pr, "--approve");
  const ran = await factory.pawl("run", "--until-idle");
  expect(ran.code, ran.stderr).toBe(0);
  expect(factory.subjects()).toEqual(["Greet (#1)"]);
});
