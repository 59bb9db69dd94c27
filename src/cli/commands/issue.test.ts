import { expect, test } from "vitest";
import { ago, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { DependenciesView, IssueView, IssueWithCommentsView } from "../../api/issues.ts";
import { OperationError } from "../../lib/operation-error.ts";

const ISSUE: IssueView = {
  number: 7,
  title: "Fix the parser",
  state: "open",
  labels: ["backlog", "priority"],
  body: "It loses\nthe last line.\n",
  author: "ada",
  depends_on: [3],
  created_at: ago(90),
  updated_at: ago(3),
  url: null,
};

const WILD: IssueView = {
  ...ISSUE,
  number: 8,
  title: 'say "hi"\tto $(me) 🎉 \u001b[31mred',
  state: "closed",
  labels: [],
  depends_on: [],
};

const LIST = { answers: { "GET /v1/issues?state=open&limit=101": [ISSUE, WILD] } };

test("a list is a table for people, without what could steer their terminal", async () => {
  const { stdout } = await pawlOnTty(["issue", "list"], LIST);
  expect(stdout).toMatchInlineSnapshot(`
    "ISSUE  TITLE                     STATE   LABELS             DEPENDS ON  UPDATED
    #7     Fix the parser            open    backlog, priority  #3          3 min ago
    #8     say "hi" to $(me) 🎉 red  closed                                 3 min ago
    "
  `);
});

test("a list is tab-separated for pipes, with ISO times", async () => {
  expect((await pawl(["issue", "list"], LIST)).stdout).toBe(
    "7\tFix the parser\topen\tbacklog,priority\t3\t2026-03-01T11:57:00.000Z\n" +
      '8\tsay "hi"\\tto $(me) 🎉 \u001b[31mred\tclosed\t\t\t2026-03-01T11:57:00.000Z\n',
  );
});

test("a list is JSON where asked for, also when it is empty", async () => {
  const { stdout } = await pawl(["issue", "list", "--json"], LIST);
  expect(JSON.parse(stdout)).toEqual([ISSUE, WILD]);
  const none = { answers: { "GET /v1/issues?state=open&limit=101": [] } };
  expect(await pawl(["issue", "list", "--json"], none)).toMatchObject({ stdout: "[]\n" });
});

test("a long list is given a page at a time, and says how to see the rest", async () => {
  const rows = [1, 2, 3].map((number) => ({ ...ISSUE, number }));
  const page = { answers: { "GET /v1/issues?state=open&limit=3&after=9": rows } };
  const shown = await pawl(["issue", "list", "--limit", "2", "--after", "9"], page);
  expect(shown.stdout.trim().split("\n")).toHaveLength(2);
  expect(shown.stderr).toBe("there are more: --after 2, or --all for every one\n");
  const whole = { answers: { "GET /v1/issues?state=open": rows } };
  const all = await pawl(["issue", "list", "--all"], whole);
  expect(all.stdout.trim().split("\n")).toHaveLength(3);
  expect(all.stderr).toBe("");
});

test("an empty list is no failure", async () => {
  const answers = { "GET /v1/issues?state=closed&label=a+b&limit=101": [] };
  const argv = ["issue", "list", "--state", "closed", "--label", "a b"];
  expect(await pawl(argv, { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: 'no closed issues with the label a b; `pawl issue add --title "…"` adds one\n',
  });
});

test("a state that does not exist is wrong usage", async () => {
  const { code, stderr } = await pawl(["issue", "list", "--state", "dead"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Allowed choices are open, closed, all.");
});

test("adding prints the number and nothing else on stdout; on a terminal the sentence has it", async () => {
  const answers = { "POST /v1/issues": ISSUE };
  const argv = ["issue", "add", "--title", "Fix the parser", "--body", "b"];
  const added = await pawl(argv, { answers, daemonRuns: false });
  expect(added).toMatchObject({
    code: 0,
    stdout: "7\n",
    stderr: "added #7 Fix the parser (backlog, priority)\n",
    calls: [
      ["POST /v1/issues", { title: "Fix the parser", body: "b", key: "cli key-1", author: "ada" }],
    ],
  });
  expect(await pawlOnTty(argv, { answers, daemonRuns: false })).toMatchObject({
    stdout: "",
    stderr:
      "added #7 Fix the parser (backlog, priority)\nno daemon is running: `pawl up` or `pawl run` starts the work\n",
  });
});

test("labels and dependencies are taken as given", async () => {
  const words = "--title T --label a --label b --depends-on 3 --depends-on #4 --body-file -";
  const world = { answers: { "POST /v1/issues": ISSUE }, files: { "-": "from stdin\n" } };
  const { calls } = await pawl(["issue", "add", ...words.split(" ")], world);
  expect(calls[0]?.[1]).toMatchObject({
    labels: ["a", "b"],
    dependsOn: [3, 4],
    body: "from stdin\n",
  });
});

test.each([
  [["issue", "add"], "required option '--title <title>' not specified"],
  [["issue", "add", "--title", "x", "--body", "a", "--body-file", "f"], "cannot be given together"],
  [["issue", "add", "--title", "x", "--depends-on", "y"], "write 7 or #7"],
  [["issue", "show", "x"], "write 7 or #7"],
  [["issue", "show", "0"], "write 7 or #7"],
  [["issue", "edit", "7"], "nothing to change in #7"],
  [["issue", "comment", "7"], "the comment is empty"],
])("%j is wrong usage", async (argv, message) => {
  const { code, stdout, stderr, calls } = await pawl(argv);
  expect({ code, stdout, calls }).toEqual({ code: 2, stdout: "", calls: [] });
  expect(stderr).toContain(message);
});

const SHOWN: IssueWithCommentsView = {
  ...ISSUE,
  comments: [{ author: "bob", body: "Which file?", created_at: ago(60) }],
  edits: [],
};

test("an issue that was edited says where its earlier texts are", async () => {
  const edits = [{ title: "Fix it", body: "Old.", edited_at: ago(5) }];
  const answers = { "GET /v1/issues/7": { ...SHOWN, edits } };
  const shown = await pawlOnTty(["issue", "show", "7"], { answers });
  expect(shown.stdout).toContain(
    "edited      once; `pawl issue show 7 --json` has the earlier texts",
  );
  expect(JSON.parse((await pawl(["issue", "show", "7", "--json"], { answers })).stdout)).toEqual(
    expect.objectContaining({ edits }),
  );
});

test("an issue is shown whole", async () => {
  const answers = { "GET /v1/issues/7": SHOWN };
  expect((await pawlOnTty(["issue", "show", "#7"], { answers })).stdout).toMatchInlineSnapshot(`
    "#7 Fix the parser
    state       open
    labels      backlog, priority
    author      ada
    depends on  #3
    created     1 h ago
    updated     3 min ago

    It loses
    the last line.

    bob wrote 1 h ago:
    Which file?
    "
  `);
  expect((await pawl(["issue", "show", "7"], { answers })).stdout).toMatchInlineSnapshot(`
    "title:	Fix the parser
    number:	7
    state:	open
    labels:	backlog,priority
    author:	ada
    depends on:	3
    created:	2026-03-01T10:30:00.000Z
    updated:	2026-03-01T11:57:00.000Z
    --
    It loses
    the last line.
    --
    bob wrote 2026-03-01T11:00:00.000Z
    Which file?
    "
  `);
  const { stdout } = await pawl(["issue", "show", "7", "--json"], { answers });
  expect(JSON.parse(stdout)).toEqual(SHOWN);
});

test("editing, closing, reopening and commenting send only what was said", async () => {
  const answers = { "PATCH /v1/issues/7": ISSUE, "POST /v1/issues/7/comments": {} };
  const edit = ["issue", "edit", "7", "--title", "New", "--add-label", "a", "--remove-label", "b"];
  const said = await Promise.all([
    pawl(edit, { answers }),
    pawl(["issue", "close", "7"], { answers }),
    pawl(["issue", "reopen", "7"], { answers }),
    pawl(["issue", "comment", "7", "--body", "hm"], { answers }),
  ]);
  expect(said.map(({ stdout, stderr, calls }) => [stdout, stderr, calls[0]?.[1]])).toEqual([
    ["", "changed #7\n", { title: "New", addLabels: ["a"], removeLabels: ["b"] }],
    ["", "closed #7\n", { state: "closed" }],
    ["", "reopened #7\n", { state: "open" }],
    ["", "commented on #7\n", { body: "hm", author: "ada", key: "cli key-1" }],
  ]);
});

const RUN = {
  run: "7.1",
  issue: 7,
  identity: "dev-7",
  pr: 9,
  outcome: null,
  head: null,
  base: "b",
};
const KEPT = "the work of dev-7 is kept: `pawl checkpoint list 7` lists it\n";
const PR_STAYS = "PR #9 stays open: `pawl pr show 9` shows it\n";

test.each([
  { what: "an open PR and commits", run: { head: "c" }, pr: "open", stays: `${PR_STAYS}${KEPT}` },
  { what: "what was saved", run: {}, pr: "closed", files: 2, stays: KEPT },
  { what: "nothing, where nothing was changed", run: { pr: null }, stays: "" },
  { what: "nothing of landed work", run: { head: "c", outcome: "landed" }, stays: "" },
  { what: "nothing of another issue", run: { head: "c", issue: 3 }, stays: "" },
])("closing an issue says what stays: $what", async ({ run, pr = "open", files = 0, stays }) => {
  const answers = {
    "PATCH /v1/issues/7": ISSUE,
    "GET /v1/runs/7": { ...RUN, ...run },
    "GET /v1/prs/9": { number: 9, state: pr },
    "GET /v1/checkpoints/7.1?limit=20": [{ files, skipped_count: 0 }],
  };
  const { stderr } = await pawl(["issue", "close", "7"], { answers });
  expect(stderr).toBe(`closed #7\n${stays}`);
});

test("importing again adds only what is new", async () => {
  const answers = {
    "GET /v1/issues?state=all": [ISSUE],
    "POST /v1/issues": ISSUE,
  };
  const files = { "b.md": "# Fix the parser\n\nText\n" };
  const first = await pawl(["issue", "import", "b.md"], { answers, files });
  expect(first).toMatchObject({ stdout: "", stderr: "added 0 issues; 1 already existed\n" });
  const again = await pawl(["issue", "import", "b.md"], { answers, files });
  expect(again.calls).toEqual(first.calls);
  const fresh = { ...answers, "GET /v1/issues?state=all": [] };
  expect(await pawl(["issue", "import", "b.md"], { answers: fresh, files })).toMatchObject({
    stdout: "7\n",
    stderr: "added 1 issue\n",
  });
  const json = await pawl(["issue", "import", "b.md", "--json"], { answers: fresh, files });
  expect(JSON.parse(json.stdout)).toEqual([ISSUE]);
});

test("a project that is registered by its first import has no issues before", async () => {
  const none = new OperationError("no project", { code: "no-project" });
  const answers = { "GET /v1/issues?state=all": none, "POST /v1/issues": ISSUE };
  const world = { answers, files: { "b.md": "# One" } };
  expect(await pawl(["issue", "import", "b.md"], world)).toMatchObject({ code: 0, stdout: "7\n" });
});

test("a file without issues is wrong usage", async () => {
  const { code, stderr } = await pawl(["issue", "import", "b.md"], { files: { "b.md": "text" } });
  expect(code).toBe(2);
  expect(stderr).toContain("b.md contains no issues");
});

const node = (number: number, ...on: number[]): DependenciesView["issues"][number] => ({
  number,
  title: `Issue ${number}`,
  state: "open",
  depends_on: on,
});

const GRAPH: DependenciesView = {
  issues: [
    { ...node(1), state: "closed" },
    node(2, 1),
    node(3, 2, 9),
    node(4, 2, 3),
    node(5, 6),
    node(6, 5),
    node(7),
    { ...node(9), title: "", state: "missing" },
  ],
  cycles: [[5, 6]],
};

test("dependencies are a tree for people, with rings named", async () => {
  const answers = { "GET /v1/dependencies": GRAPH };
  const { stdout, stderr } = await pawlOnTty(["issue", "deps"], { answers });
  expect(stdout).toMatchInlineSnapshot(`
    "#4 Issue 4
    ├─ #2 Issue 2
    │  └─ #1 Issue 1 (closed)
    └─ #3 Issue 3
       ├─ #2 Issue 2 …
       └─ #9 does not exist
    #5 Issue 5
    └─ #6 Issue 6
       └─ #5 Issue 5 …
    "
  `);
  expect(stderr).toBe("waits for itself: #5 → #6 → #5: none of these issues can start\n");
});

test("dependencies are one line each for pipes", async () => {
  const answers = { "GET /v1/dependencies": GRAPH };
  expect(await pawl(["issue", "deps", "3"], { answers })).toMatchObject({
    stdout: "3\t2\topen\n3\t9\tmissing\n2\t1\tclosed\n",
    stderr: "",
  });
  expect(await pawl(["issue", "deps", "7"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "#7 waits for no other issue\n",
  });
  expect(await pawl(["issue", "deps", "77"], { answers })).toMatchObject({ code: 1 });
});
