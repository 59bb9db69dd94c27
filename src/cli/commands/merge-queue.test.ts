import { describe, expect, test } from "vitest";
import { ago, Answers, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { EntryView, QueueView } from "../../api/queue.ts";

const ENTRY: EntryView = {
  id: 3,
  position: 1,
  identity_name: "dev-7",
  branch: "pawl/7-fix",
  worktree_path: "/home/ada/.local/state/pawl/projects/toy/workspaces/dev-7",
  pr_number: 9,
  bead_id: "7",
  node_id: null,
  requested_at: ago(4),
  status: "held",
  head: "1234567890abcdef",
  priority: 0,
  attempts: 1,
  after: [],
  reason: "your checkout has edits in a.ts",
  conflict_files: [],
  changes_policy: false,
  protected_files: [],
  approved_by: null,
  resolved_by: null,
  resolved_files: [],
  left_at: null,
  merged_as: null,
  branch_removed: null,
  next_step: null,
  evidence: [],
};

const gone = (change: Partial<EntryView>) => ({
  ...ENTRY,
  position: null,
  left_at: ago(30),
  ...change,
});

const MERGED = gone({
  id: 2,
  branch: "pawl/5-x",
  bead_id: "5",
  pr_number: null,
  status: "merged",
  reason: null,
  merged_as: "fedcba9876543210",
}) as QueueView["past"][number];

const BACK = gone({
  id: 1,
  branch: "pawl/4-y",
  bead_id: "4",
  pr_number: null,
  status: "returned",
  reason: "conflicts with the target in a.ts",
  conflict_files: ["a.ts"],
}) as QueueView["past"][number];

const QUEUE: QueueView = {
  project: "toy",
  state: "waiting",
  why: null,
  hint: null,
  queued: 1,
  testing: 0,
  landing: 0,
  target: "abc",
  target_proof: "green",
  failure_rate: 0.05,
  step: 16,
  lanes: 1,
  retry_at: null,
  paused: null,
  entries: [ENTRY],
  past: [BACK, MERGED],
};

const IDLE: QueueView = { ...QUEUE, state: "idle", entries: [], past: [] };

test("the queue is listed in its order, then what was sent back", async () => {
  const answers = { "GET /v1/queue": QUEUE };
  const onTty = await pawlOnTty(["merge-queue", "list"], { answers, columns: 120 });
  expect(onTty.stdout).toMatchInlineSnapshot(`
    "ID  BRANCH      STATUS     REASON                             IDENTITY  ISSUE  PR  REQUESTED
    e3  pawl/7-fix  held       your checkout has edits in a.ts    dev-7     #7     #9  4 min ago
    e1  pawl/4-y    sent back  conflicts with the target in a.ts  dev-7     #4         4 min ago
    "
  `);
  const piped = await pawl(["merge-queue", "list", "--all"], { answers });
  expect(piped.stdout).toMatchInlineSnapshot(`
    "e3	pawl/7-fix	held	your checkout has edits in a.ts	dev-7	7	9	2026-03-01T11:56:00.000Z
    e2	pawl/5-x	landed		dev-7	5		2026-03-01T11:56:00.000Z
    e1	pawl/4-y	returned	conflicts with the target in a.ts	dev-7	4		2026-03-01T11:56:00.000Z
    "
  `);
  const json = async (...more: string[]): Promise<unknown> =>
    JSON.parse((await pawl(["merge-queue", "list", "--json", ...more], { answers })).stdout);
  expect(await json()).toEqual([ENTRY, BACK]);
  // Programs read `merged`.
  expect(await json("--all")).toEqual([ENTRY, MERGED, BACK]);
});

test("a reason is told in the same words in a pipe; JSON has it as it is", async () => {
  const clash = { ...BACK, reason: "conflicts with entry 4 (good)" };
  const red = { ...BACK, reason: "red on top of a green target (test)" };
  const answers = { "GET /v1/queue": { ...QUEUE, past: [clash, red] } };
  const { stdout } = await pawl(["merge-queue", "list"], { answers });
  expect(stdout).toContain("\tconflicts with e4 (good)\t");
  expect(stdout).toContain("\ttest passes on the target and fails with this branch on it\t");
  const json = await pawl(["merge-queue", "list", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toEqual([ENTRY, red, clash]);
});

test("an empty queue is no failure", async () => {
  const answers = { "GET /v1/queue": IDLE };
  expect(await pawl(["merge-queue", "list"], { answers })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "the merge queue is empty\n",
  });
});

test("a list of a queue that is paused says so, and a pipe still gets the rows alone", async () => {
  const answers = { "GET /v1/queue": { ...IDLE, paused: { by: "bob", why: "release day" } } };
  const said =
    "the merge queue is paused by bob: release day\n`pawl merge-queue resume` resumes it\n";
  const empty = await pawlOnTty(["merge-queue", "list"], { answers });
  expect(empty.stderr).toBe(`the merge queue is empty\n${said}`);
  const paused = { "GET /v1/queue": { ...answers["GET /v1/queue"], entries: [ENTRY] } };
  const piped = await pawl(["merge-queue", "list"], { answers: paused });
  expect(piped.stdout).toMatch(/^e3\t.*\n$/);
  expect(piped.stderr).toBe(said);
  const json = await pawl(["merge-queue", "list", "--json"], { answers: paused });
  expect(json.stderr).toBe("");
});

test("its status says what waits, what landed last, what went back, and who stopped it", async () => {
  const answers = { "GET /v1/queue": { ...QUEUE, paused: { by: "bob", why: "release day" } } };
  const { stdout, stderr } = await pawlOnTty(["merge-queue", "status"], { answers });
  expect(stdout).toMatchInlineSnapshot(`
    "paused by bob: release day
    merge queue of toy: 1 held
    held: e3  pawl/7-fix: your checkout has edits in a.ts
    1 branch landed, the last 30 min ago (pawl/5-x)
    sent back: pawl/4-y: conflicts with the target in a.ts
    "
  `);
  expect(stderr).toBe("`pawl merge-queue resume` resumes it\n");
});

test("its status names the command that tries a held entry again", async () => {
  const status = async (daemonRuns: boolean) => {
    const world = { answers: { "GET /v1/queue": QUEUE }, daemonRuns };
    return (await pawlOnTty(["merge-queue", "status"], world)).stdout;
  };
  const held = "held: e3  pawl/7-fix: your checkout has edits in a.ts\n";
  expect(await status(true)).toContain(`${held}  \`pawl merge-queue resume\` tries it again\n`);
  expect(await status(false)).toContain(
    `${held}  \`pawl merge-queue process --until-idle\` tries it again\n`,
  );
});

test("it is paused and resumed by name", async () => {
  const answers = { "POST /v1/queue/pause": QUEUE, "POST /v1/queue/resume": QUEUE };
  const paused = await pawl(["merge-queue", "pause", "--why", "release"], { answers });
  expect(paused.calls).toEqual([["POST /v1/queue/pause", { by: "ada", why: "release" }]]);
  const resumed = await pawl(["merge-queue", "resume"], { answers });
  expect(resumed).toMatchObject({ stdout: "", stderr: "resumed\n" });
});

test("where a resume only acknowledged pushes past the queue, it says so and why the queue stays paused", async () => {
  const acknowledged = ["0123456789abcdef"];
  const resume = async (paused: object | null) => {
    const answers = { "POST /v1/queue/resume": { ...QUEUE, acknowledged, paused } };
    return (await pawl(["merge-queue", "resume"], { answers })).stderr;
  };
  const said = "acknowledged commits that bypassed the merge queue: 0123456789\n";
  expect(await resume(null)).toBe(`${said}resumed\n`);
  expect(await resume({ by: "bob", why: "release day" })).toBe(
    `${said}the queue is still paused by bob (release day): run \`pawl merge-queue resume\` once more to resume it\n`,
  );
});

test("a branch is added with its priority and what it comes after; its id is the result", async () => {
  const entry = { ...ENTRY, branch: "x" };
  const answers = { "POST /v1/queue/entries": { added: [{ entry, from: "checkout" }] } };
  const argv = ["merge-queue", "add", "x", "--priority", "2", "--after", "a", "--after", "b"];
  const added = await pawlOnTty(argv, { answers, daemonRuns: false });
  expect(added.calls).toEqual([
    ["POST /v1/queue/entries", { branches: ["x"], priority: 2, after: ["a", "b"] }],
  ]);
  expect(added).toMatchObject({ code: 0, stdout: "" });
  expect((await pawl(argv, { answers })).stdout).toBe("e3\n");
  expect(added.stderr).toMatchInlineSnapshot(`
    "queued x at 1234567890 (only in your repository, not upstream) as e3
    no daemon is running: \`pawl merge-queue process --until-idle\` starts the work
    "
  `);
  const wrong = await pawl(["merge-queue", "add", "x", "--priority", "high"], { answers });
  expect(wrong.code).toBe(2);
});

test("several branches are added by one request; each id is a line, as JSON they are a list", async () => {
  const added = ["x", "y"].map((branch, index) => ({
    entry: { ...ENTRY, id: index + 3, branch },
    from: "upstream",
  }));
  const answers = { "POST /v1/queue/entries": { added } };
  const two = await pawl(["merge-queue", "add", "x", "y"], { answers });
  expect(two.calls).toEqual([
    ["POST /v1/queue/entries", { branches: ["x", "y"], priority: 0, after: [] }],
  ]);
  expect(two.stdout).toBe("e3\ne4\n");
  expect(two.stderr).toContain("queued x at 1234567890 as e3\nqueued y at 1234567890 as e4\n");
  const json = await pawl(["merge-queue", "add", "x", "y", "--json"], { answers });
  expect(JSON.parse(json.stdout)).toMatchObject([{ id: 3 }, { id: 4 }]);
});

test("branches that have landed already are named after those that were queued, and it fails", async () => {
  const added = [{ entry: { ...ENTRY, branch: "x" }, from: "upstream" }];
  const refused = ["cannot queue y: it has landed already as fedcba9876 (entry e2)"];
  const answers = { "POST /v1/queue/entries": { added, refused } };
  const { code, stderr } = await pawl(["merge-queue", "add", "x", "y"], { answers });
  expect(code).toBe(1);
  expect(stderr).toContain(`queued x at 1234567890 as e3\n${refused[0]}\n`);
});

test("an entry is removed and approved by its issue, its branch or itself", async () => {
  const answers = {
    "GET /v1/queue": QUEUE,
    "POST /v1/queue/remove": QUEUE,
    "POST /v1/queue/approve": QUEUE,
  };
  const body = (entry: number) => ({ entry, by: "ada" });
  for (const name of ["e3", "#7", "7"]) {
    const removed = await pawl(["merge-queue", "remove", name], { answers });
    expect(removed.calls.at(-1)).toEqual(["POST /v1/queue/remove", body(3)]);
  }
  const back = await pawl(["merge-queue", "remove", "pawl/4-y"], { answers });
  expect(back.calls.at(-1)).toEqual(["POST /v1/queue/remove", body(1)]);
  const approved = await pawl(["merge-queue", "approve", "pawl/7-fix"], { answers });
  expect(approved.calls.at(-1)).toEqual(["POST /v1/queue/approve", body(3)]);
  expect(await pawl(["merge-queue", "remove", "99"], { answers })).toMatchObject({
    code: 1,
    stderr:
      "pawl: there is no entry 99 in the merge queue\nhint: see `pawl merge-queue list --state all`\n",
  });
});

test("an explanation is told line by line, with its times", async () => {
  const lines = [
    { kind: "entry", text: "x at 123 was queued", at: ago(9) },
    { kind: "test", text: "tested alone: passed (flaky)", at: ago(8) },
    { kind: "position", text: "it is testing, number 1 of 2", at: null },
  ];
  const answers = { "GET /v1/queue/x/explain": lines };
  const { stdout } = await pawlOnTty(["merge-queue", "explain", "x"], { answers });
  expect(stdout).toBe(`x at 123 was queued (9 min ago)
tested alone: passed (flaky), 8 min ago
it is testing, number 1 of 2
`);
});

test("an explanation breaks between words on a narrow terminal, also in what a gate wrote", async () => {
  const long = `| ${"x".repeat(30)} ${"y".repeat(20)}`;
  const lines = [
    { kind: "end", text: "sent back: conflicts with the target in src/one.ts, changed", at: null },
    { kind: "output", text: long, at: null },
  ];
  const answers = { "GET /v1/queue/x/explain": lines };
  const { stdout } = await pawlOnTty(["merge-queue", "explain", "x"], { answers, columns: 40 });
  expect(stdout).toBe(
    `sent back: conflicts with the target in\n  src/one.ts, changed\n${long.replace(" y", "\n|   y")}\n`,
  );
});

test("a path in an explanation stays whole, so that it can be copied", async () => {
  const path = "/home/ada/.local/state/pawl/projects/toy/gates/queue_toy_check_22-0123456789.log";
  const text = `whole output: ${path} (\`pawl ci logs x\`)`;
  const answers = { "GET /v1/queue/x/explain": [{ kind: "output", text, at: null }] };
  const { stdout } = await pawlOnTty(["merge-queue", "explain", "x"], { answers, columns: 80 });
  expect(stdout).toBe(`whole output:\n  ${path}\n  (\`pawl ci logs x\`)\n`);
});

describe("processing", () => {
  const working: QueueView = { ...QUEUE, state: "working", past: [] };
  const landed: QueueView = { ...working, past: [MERGED] };
  const both: QueueView = { ...IDLE, past: [MERGED, BACK] };

  test("ends with the first entry that left", async () => {
    const answers = { "GET /v1/queue": new Answers(working, working, landed, landed) };
    const { code, stdout, calls } = await pawl(["merge-queue", "process"], { answers });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "✓ e2  pawl/5-x  landed as fedcba9876\n" });
    expect(calls.at(-2)).toEqual(["closed"]);
  });

  test("waits until the branch that landed is removed, and says how to restore it", async () => {
    const removing = { ...landed, removing: [2] };
    const removed = { ...landed, past: [{ ...MERGED, branch_removed: "checkout" }], removing: [] };
    const answers = {
      "GET /v1/queue": new Answers(working, removing, removing, removing, removed),
    };
    const { code, stderr } = await pawl(["merge-queue", "process"], { answers });
    const again = "`git branch pawl/5-x 1234567890`";
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `removed your branch pawl/5-x, which has landed; ${again} restores it\n`,
    });
  });

  test("of everything ends when nothing can move, and fails where something went back", async () => {
    const answers = { "GET /v1/queue": new Answers(working, landed, both, both) };
    const { code, stdout } = await pawl(["merge-queue", "process", "--all"], { answers });
    expect(code).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "✓ e2  pawl/5-x  landed as fedcba9876
      ↩ e1  pawl/4-y  sent back: conflicts with the target in a.ts
      "
    `);
  });

  test("says what waits for a person", async () => {
    const answers = { "GET /v1/queue": { ...QUEUE, past: [] } };
    const { code, stderr } = await pawl(["merge-queue", "process", "--all"], { answers });
    expect(code).toBe(8);
    expect(stderr).toMatchInlineSnapshot(`
      "1 entry waits:
        e3  pawl/7-fix: your checkout has edits in a.ts
      "
    `);
  });

  test("waits for CI infrastructure that is tried again automatically", async () => {
    const trouble: QueueView = { ...working, state: "waiting", retry_at: ago(-1) };
    const idle = { ...IDLE, past: [MERGED] };
    const answers = { "GET /v1/queue": new Answers(trouble, landed, idle, idle) };
    const { code } = await pawl(["merge-queue", "process", "--all"], { answers });
    expect(code).toBe(0);
  });

  test("of an empty queue is no failure", async () => {
    const answers = { "GET /v1/queue": IDLE };
    const done = await pawl(["merge-queue", "process", "--all", "--json"], { answers });
    expect(done).toMatchObject({ code: 0, stdout: "[]\n", stderr: "nothing to do\n" });
  });
});
