import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { PrView, PrWithReviewsView } from "../../api/prs.ts";

const HEAD = "0123456789abcdef0123456789abcdef01234567";

const PR: PrView = {
  number: 9,
  title: "Fix the parser",
  branch: "pawl/7-fix-the-parser",
  head: HEAD,
  target: "main",
  issue: 7,
  state: "open",
  merged_as: null,
  ci: "failed",
  created_at: ago(50),
  updated_at: ago(5),
};

const SHOWN: PrWithReviewsView = {
  ...PR,
  body: "Closes #7",
  check: null,
  reviews: [
    {
      author: "bob",
      verdict: "request-changes",
      head: HEAD,
      body: "Not tested.",
      dismissed: false,
      created_at: ago(20),
    },
  ],
};

test("PRs are listed with their CI result", async () => {
  const answers = { "GET /v1/prs?state=open": [PR] };
  expect((await pawlOnTty(["pr", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "PR  TITLE           BRANCH                 ISSUE  STATE  CI      UPDATED
    #9  Fix the parser  pawl/7-fix-the-parser  #7     open   failed  5 min ago
    "
  `);
  expect((await pawl(["pr", "list"], { answers })).stdout).toMatchInlineSnapshot(`
    "9	Fix the parser	pawl/7-fix-the-parser	7	open	failed	2026-03-01T11:55:00.000Z
    "
  `);
  expect(JSON.parse((await pawl(["pr", "list", "--json"], { answers })).stdout)).toEqual([PR]);
});

test("no PRs is no failure", async () => {
  const answers = { "GET /v1/prs?state=all": [] };
  expect(await pawl(["pr", "list", "--state", "all"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "no PRs yet\n",
  });
});

test("a PR is shown with its reviews", async () => {
  const answers = { "GET /v1/prs/9": SHOWN };
  expect((await pawlOnTty(["pr", "show", "9"], { answers })).stdout).toMatchInlineSnapshot(`
    "#9 Fix the parser
    state    open
    branch   pawl/7-fix-the-parser → main
    head     0123456789
    issue    #7
    ci       failed
    updated  5 min ago

    Closes #7

    bob requested changes of 0123456789 20 min ago:
    Not tested.
    "
  `);
  expect((await pawl(["pr", "show", "9"], { answers })).stdout).toMatchInlineSnapshot(`
    "title:	Fix the parser
    number:	9
    state:	open
    branch:	pawl/7-fix-the-parser → main
    head:	0123456789abcdef0123456789abcdef01234567
    issue:	7
    ci:	failed
    merged as:	
    updated:	2026-03-01T11:55:00.000Z
    --
    Closes #7
    --
    bob requested changes of 0123456789 2026-03-01T11:40:00.000Z
    Not tested.
    "
  `);
});

test("a review is of the head that the PR has, and says so", async () => {
  const answers = { "POST /v1/prs/9/reviews": { verdict: "approve", head: HEAD } };
  expect(await pawl(["pr", "review", "9", "--approve"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "approved #9 at 0123456789\n",
    calls: [
      ["POST /v1/prs/9/reviews", { verdict: "approve", body: "", author: "ada", key: "key-1" }],
    ],
  });
});

test("changes are requested with the text of a file", async () => {
  const answers = { "POST /v1/prs/9/reviews": { verdict: "request-changes", head: HEAD } };
  const argv = ["pr", "review", "9", "--request-changes", "--body-file", "r.md"];
  const { stderr, calls } = await pawl(argv, { answers, files: { "r.md": "Test it.\n" } });
  expect(stderr).toBe("requested changes of #9 at 0123456789\n");
  expect(calls[0]?.[1]).toMatchObject({ verdict: "request-changes", body: "Test it.\n" });
});

test.each([
  [[], "give either --approve or --request-changes"],
  [["--approve", "--request-changes"], "give either --approve or --request-changes"],
  [["--request-changes"], "say what to change"],
  [["--request-changes", "--body", " "], "say what to change"],
])("a review with %j is wrong usage", async (words, message) => {
  const { code, stderr, calls } = await pawl(["pr", "review", "9", ...words]);
  expect({ code, calls }).toEqual({ code: 2, calls: [] });
  expect(stderr).toContain(message);
});

test("an agent reviews nothing by hand", async () => {
  const words = ["pr", "review", "7", "--approve"];
  expect(await pawl(words, { env: { PAWL_SPOOL: "/x" } })).toMatchObject({ code: 4, calls: [] });
});
