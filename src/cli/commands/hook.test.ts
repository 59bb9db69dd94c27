import { expect, test } from "vitest";
import { ago, NOW, pawl, pawlOnTty } from "../../../test/support/pawl-cli.ts";
import type { HookView } from "../../api/hooks.ts";

const HOOK: HookView = {
  identity_name: "dev-7",
  current_bead: "7",
  current_node: null,
  work_phase: "implementation",
  work_summary: "the parser's error messages",
  last_checkpoint_at: ago(2),
  files_modified: ["src/a.ts", "src/b.ts"],
  tests_status: "failed",
  resumption_instructions: "Run make first.",
  status: "active",
  session_id: "dev-7-2@toy",
  epoch: 2,
  branch: "pawl/7-parser",
  phase: null,
  updated_at: ago(1),
};

const WORLD = { answers: { "GET /v1/runs/7/hook": HOOK } };

test("a hook is shown to people, and whole to programs", async () => {
  expect((await pawlOnTty(["hook", "show", "7"], WORLD)).stdout).toMatchInlineSnapshot(`
    "dev-7
    issue   #7
    phase   implementation
    tests   failed
    status  active
    saved   2 min ago
    files   src/a.ts src/b.ts
    resume  Run make first.

    the parser's error messages
    "
  `);
  expect(JSON.parse((await pawl(["hook", "show", "7", "--json"], WORLD)).stdout)).toEqual(HOOK);
});

test("an agent reads its own from a file, without the daemon; another agent's hook is not guessed", async () => {
  const env = { PAWL_HOOK_FILE: "/h/dev-7.json" };
  const files = { "/h/dev-7.json": JSON.stringify(HOOK) };
  const own = await pawl(["hook", "show", "--json"], { env, files });
  expect([JSON.parse(own.stdout), own.calls]).toEqual([HOOK, []]);
  expect((await pawl(["hook", "show"])).code).toBe(2);
});

test("what an agent says of its work goes into its spool", async () => {
  const env = { PAWL_SPOOL: "/h/1/spool" };
  const words = ["--phase", "testing", "--summary", "the tests", "--tests", "passed"];
  const set = await pawl(["hook", "set", ...words, "--file", "a", "--file", "b"], { env });
  expect(set).toMatchObject({ code: 0, calls: [], stderr: "noted\n" });
  const [path, text] = Object.entries(set.written)[0] ?? ["", ""];
  expect(path).toBe(`/h/1/spool/new/${NOW}-key-1.json`);
  expect(JSON.parse(text)).toEqual({
    v: 1,
    at: NOW,
    kind: "hook",
    work_phase: "testing",
    summary: "the tests",
    tests_status: "passed",
    files: ["a", "b"],
  });
});

test.each([
  [["--phase", "lunch"], "investigation, planning, implementation, testing, completion"],
  [["--tests", "fine"], "passed, failed, unknown"],
  [[], "--phase, --summary"],
])("hook set %j is refused with what is possible", async (words, hint) => {
  const refused = await pawl(["hook", "set", ...words], { env: { PAWL_SPOOL: "/s" } });
  expect(refused).toMatchObject({ code: 2, written: {} });
  expect(refused.stderr).toContain(hint);
});
