import { expect, test } from "vitest";
import type { FormulaRunView, FormulaView, StepPlanView } from "../../api/formulas.ts";
import { ago, Answers, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";

const step = (id: string, more: Partial<StepPlanView> = {}): StepPlanView => ({
  id,
  title: `Do ${id}`,
  description: "",
  needs: [],
  kind: "run",
  does: `make ${id}`,
  when: null,
  timeout_ms: 1000,
  retries: 0,
  ...more,
});

const PLAN: FormulaView = {
  name: "release",
  description: "Release it.\nMore.",
  version: 2,
  model: null,
  source: "formulas/release.toml",
  context_files: [],
  vars: [
    { name: "version", description: "which one", required: true, default: null },
    { name: "to", description: "", required: false, default: "all" },
  ],
  steps: [
    step("build"),
    step("lint"),
    step("ship", { needs: ["build", "lint"], kind: "gate", does: "human: ok?", when: "vars.to" }),
    step("tell", { needs: ["ship"], kind: "agent", does: "an agent, for a result", retries: 2 }),
  ],
  waves: [["build", "lint"], ["ship"], ["tell"]],
};

const runView = (
  state: FormulaRunView["state"],
  statuses: FormulaRunView["steps"][number]["status"][],
): FormulaRunView => ({
  id: "release.1",
  formula: "release",
  project: "toy",
  source: "x",
  state,
  reason: state === "failed" ? "build: exit 1" : null,
  by: "ada",
  cycle: 1,
  requested_at: ago(3),
  ended_at: null,
  vars: {},
  waves: PLAN.waves,
  steps: PLAN.steps.map((one, index) => ({
    ...one,
    status: statuses[index] ?? "waiting",
    attempt: 1,
    since: null,
    ended_at: null,
    output: null,
    problem: statuses[index] === "failed" ? "exit 1" : null,
    gate: one.kind === "gate" && statuses[index] === "running" ? "release.1.ship" : null,
    run: null,
    session: one.id === "tell" && statuses[index] === "done" ? "action-tell-1@toy" : null,
    node:
      one.id === "tell" && statuses[index] === "done"
        ? { impl_complete: true, validated: true, merged: false }
        : null,
  })),
});

test("a formula is drawn in waves, with what each step does and waits for", async () => {
  const world = { answers: { "GET /v1/formulas/plan/release": PLAN } };
  const { stdout } = await pawlOnTty(["formula", "show", "release"], world);
  expect(stdout).toMatchInlineSnapshot(`
    "release · version 2 · 4 steps in 3 waves · formulas/release.toml
    Release it.
      --var version=…  which one (required)
      --var to=…   (default "all")

      1 ┬ ○ build Do build run: make build
        └ ○ lint  Do lint  run: make lint
      2 ─ ○ ship  Do ship  gate: human: ok?  ← build, lint  when vars.to
      3 ─ ○ tell  Do tell  agent  ← ship  retries 2
    "
  `);
  const dot = await pawl(["formula", "show", "release", "--dot"], world);
  expect(dot.stdout).toMatchInlineSnapshot(`
    "digraph "release" {
      rankdir=LR;
      "build" [label="build\\nDo build", shape="box"];
      "lint" [label="lint\\nDo lint", shape="box"];
      "ship" [label="ship\\nDo ship", shape="diamond"];
      "tell" [label="tell\\nDo tell", shape="ellipse"];
      "build" -> "ship";
      "lint" -> "ship";
      "ship" -> "tell";
    }
    "
  `);
  const json = await pawl(["formula", "show", "release", "--json"], world);
  expect(JSON.parse(json.stdout)).toMatchObject({ steps: [{ id: "build" }, {}, {}, {}] });
});

test("formulas are listed with where they come from, and broken ones with why", async () => {
  const rows = [
    {
      name: "a",
      summary: "An a",
      steps: 3,
      from: "built-in",
      file: "a.toml",
      part: null,
      problem: null,
    },
    {
      name: "b",
      summary: "",
      steps: 0,
      from: "project",
      file: "b.toml",
      part: null,
      problem: "b.toml:1: no",
    },
  ];
  const world = { answers: { "GET /v1/formulas": rows } };
  expect((await pawlOnTty(["formula", "list"], world)).stdout).toMatchInlineSnapshot(`
    "NAME   STEPS  FROM      SUMMARY
    a          3  built-in  An a
    b     broken  project   b.toml:1: no
    "
  `);
  const long = { ...rows[0], summary: "a summary of many words ".repeat(5) };
  const cut = { answers: { "GET /v1/formulas": [long] }, columns: 80 };
  expect((await pawlOnTty(["formula", "list"], cut)).stderr).toBe(
    "`pawl formula show NAME` shows the whole summary\n",
  );
  const validated = await pawl(["formula", "validate"], world);
  expect([validated.code, validated.stdout]).toEqual([1, "b.toml:1: no\n"]);
});

test("a file is read and checked where the caller is", async () => {
  const answers = { "GET /v1/formulas/builtins": [{ name: "say", summary: "" }] };
  const files = {
    "ok.toml": `name = "f"\n[[steps]]\nid = "a"\nrun = "true"`,
    "bad.toml": `name = "f"\n[[steps]]\nid = "a"\nneeds = ["b"]`,
    "strange.toml": `name = "f"\n[[steps]]\nid = "a"\nbuiltin = "sy"`,
  };
  const check = (file: string) => pawl(["formula", "validate", file], { answers, files });
  expect(await check("ok.toml")).toMatchObject({ code: 0, stdout: "", stderr: "valid: ok.toml\n" });
  expect(await check("bad.toml")).toMatchObject({
    code: 1,
    stdout: 'bad.toml:4: step "a" needs "b", which is not a step. Did you mean "a"?\n',
  });
  expect((await check("strange.toml")).stdout).toContain('no builtin "sy". There are say.');
  const shown = await pawl(["formula", "show", "bad.toml"], { files });
  expect([shown.code, shown.stderr]).toMatchObject([1, expect.stringContaining("bad.toml:4:")]);
});

test("a dry run draws the plan with its variables, and runs nothing", async () => {
  const path = `GET /v1/formulas/plan/release?vars=%7B%22version%22%3A%221%22%7D`;
  const { calls, code } = await pawl(
    ["formula", "run", "release", "--var", "version=1", "--dry-run"],
    { answers: { [path]: PLAN } },
  );
  expect([code, calls]).toEqual([0, [[path]]]);
  const files = { "f.toml": `name = "f"\n[vars.x]\nrequired = true\n[[steps]]\nid = "a"` };
  const missing = await pawl(["formula", "run", "f.toml", "--dry-run"], { files });
  expect([missing.code, missing.stderr]).toEqual([
    2,
    'pawl: variable "x" is required: give it with --var x=…\n',
  ]);
});

test("a run is followed step by step, and its end is the exit code", async () => {
  const answers = {
    "POST /v1/formulas/runs": runView("running", ["running"]),
    "GET /v1/formulas/runs/release.1": new Answers(
      runView("running", ["done", "retrying"]),
      runView("failed", ["done", "failed", "skipped", "skipped"]),
    ),
  };
  const outcome = await pawl(["formula", "run", "release", "--var", "a=b=c"], { answers });
  expect(outcome.code).toBe(1);
  expect(outcome.stdout).toMatchInlineSnapshot(`
    "✓ build
    ↻ lint
    ✗ lint: exit 1
    – ship
    – tell
    "
  `);
  expect(outcome.stderr).toMatchInlineSnapshot(`
    "run release.1
    release.1 failed: build: exit 1
    "
  `);
  expect(outcome.calls[0]).toEqual([
    "POST /v1/formulas/runs",
    { name: "release", vars: { a: "b=c" }, key: "key-1", by: "ada" },
  ]);
  expect(outcome.calls.at(-1)).toEqual(["closed"]);
});

test("a run that waits for a person says so and exits 8; a detached one is not waited for", async () => {
  const answers = {
    "POST /v1/formulas/runs": runView("running", []),
    "GET /v1/formulas/runs/release.1": runView("waiting", ["done", "done", "running"]),
  };
  const waiting = await pawl(["formula", "run", "release"], { answers });
  expect([waiting.code, waiting.stderr]).toEqual([
    8,
    "run release.1\nrelease.1 waits at gate release.1.ship\n`pawl gate list` shows its condition; `pawl gate close` closes it\n",
  ]);
  const detached = await pawl(["formula", "run", "release", "--detach"], { answers });
  expect([detached.code, detached.stdout]).toEqual([0, "release.1\n"]);
});

test("runs are listed, and one is drawn with what every step came to", async () => {
  const run = runView("done", ["done", "done", "skipped", "done"]);
  const answers = {
    "GET /v1/formulas/runs": [run],
    "GET /v1/formulas/runs/release.1": run,
    "POST /v1/formulas/runs/release.1/stop": run,
  };
  expect((await pawlOnTty(["formula", "status"], { answers })).stdout).toMatchInlineSnapshot(`
    "RUN        STATE  STEPS  BY   BEGUN
    release.1  done     4/4  ada  3 min ago
    "
  `);
  const one = await pawlOnTty(["formula", "status", "release.1"], { answers });
  expect(one.stdout).toMatchInlineSnapshot(`
    "release.1 is done · begun 3 min ago by ada

      1 ┬ ✓ build Do build run: make build
        └ ✓ lint  Do lint  run: make lint
      2 ─ – ship  Do ship  gate: human: ok?  ← build, lint  when vars.to
      3 ─ ✓ tell  Do tell  agent  ← ship  retries 2
           session action-tell-1@toy
           impl_complete → validated
    "
  `);
  const dot = await pawl(["formula", "status", "release.1", "--dot"], { answers });
  expect(dot.stdout).toContain('status="validated", session="action-tell-1@toy"');
  const stopped = await pawl(["formula", "stop", "release.1"], { answers });
  expect(stopped.stderr).toBe("release.1 is stopped\n");
});

test("a variable without a value is wrong usage", async () => {
  expect((await pawl(["formula", "run", "x", "--var", "novalue"])).code).toBe(2);
});

test("a run can be asked for by an issue, which is filed once", async () => {
  const path = "POST /v1/formulas/issues";
  const argv = ["formula", "run", "release", "--as-issue", "--var", "version=1"];
  const made = await pawl(argv, { answers: { [path]: { number: 7, made: true } } });
  expect([made.stdout, made.stderr, made.calls]).toEqual([
    "7\n",
    "filed #7\n",
    [[path, { name: "release", vars: { version: "1" }, key: "key-1", by: "ada" }]],
  ]);
  const known = await pawl(argv, { answers: { [path]: { number: 7, made: false } } });
  expect([known.stdout, known.stderr]).toEqual(["7\n", "issue #7 already asks for it\n"]);
  expect((await pawl(["formula", "run", "f.toml", "--as-issue"])).code).toBe(2);
});

test("formulas of one name are not imported over each other, and none without a name", async () => {
  const text = `name = "x"\n[[steps]]\nid = "a"\nrun = "true"\n`;
  const files = { "a/x.toml": text, "b/X.toml": text.replace("x", "X"), "?.toml": "" };
  const to = ["formula", "import", "--to", "/dev/null/formulas"];
  const same = await pawl([...to, "a/x.toml", "b/X.toml"], { files });
  expect([same.code, same.stderr]).toEqual([
    2,
    expect.stringContaining("a/x.toml and b/X.toml are both named X"),
  ]);
  const nameless = await pawl([...to, "?.toml"], { files });
  expect([nameless.code, nameless.stderr]).toEqual([
    2,
    expect.stringContaining("its name has no letter or digit"),
  ]);
});
