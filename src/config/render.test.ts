import { expect, test } from "vitest";
import type { Draft } from "./detect.ts";
import { parseConfig } from "./parse.ts";
import { renderConfig, type Choices } from "./render.ts";

const DRAFT: Draft = {
  root: "/home/me/app",
  name: "app",
  target: "main",
  remote: undefined,
  testCommands: [
    { command: "npm test", setup: "npm ci", keep: ["node_modules"], from: "package.json" },
    { command: "make test", setup: undefined, keep: [], from: "Makefile" },
  ],
  agents: ["claude"],
};

function parsed(draft: Draft, choices?: Choices) {
  const result = parseConfig(renderConfig(draft, choices), "pawl.toml");
  if (result.kind === "invalid") throw new Error(JSON.stringify(result.problems));
  return result.config;
}

test("what was found is written with its reason", () => {
  expect(renderConfig(DRAFT)).toMatchInlineSnapshot(`
    "# Pawl's configuration of this project. Commit it: the rules are read from the target branch.

    [project]
    name = "app"
    target = "main"
    parallel = 3            # issues worked on at once

    [agent]
    runtime = "claude"      # see docs/claude-code.md for what it may do
    # pass_env = ["LANG"]   # variables of your environment that agents may see

    [ci]
    command = "npm test"  # from package.json; run in a clean checkout, exit 0 is green
    # command = "make test"  # from Makefile
    setup = "npm ci"
    keep = ["node_modules"]  # survives between checkouts
    # timeout = "30 min"

    [review]
    required = false        # true: nothing lands without an approving review

    [merge_queue]
    protected = ["package.json"]  # a branch that changes it waits for \`pawl merge-queue approve\`

    # [merge]
    # strategy = "rebase"   # or "merge", "squash"

    # [workspace]
    # setup = "npm ci"      # in each new workspace, before the agent starts
    # copy = [".env"]       # ignored files that agents need
    "
  `);
});

test("what is written is accepted and means what was found", () => {
  expect(parsed(DRAFT)).toMatchObject({
    name: "app",
    target: "main",
    agent: { runtime: "claude", claude: { permissionMode: "dontAsk" } },
    ci: {
      gates: [{ name: "test", command: "npm test" }],
      setup: { command: "npm ci" },
      keep: ["node_modules"],
    },
  });
});

test("without a known way to test, checks are red until the user writes one", () => {
  const { ci } = parsed({ ...DRAFT, testCommands: [] });
  expect(ci.none).toBe(false);
  expect(ci.gates[0]?.command).toContain("exit 1");
});

test("no CI is written only where the user chose it", () => {
  expect(parsed(DRAFT, { ci: "none" }).ci).toMatchObject({ none: true, gates: [] });
});

test("the user's own agent is written with its arguments", () => {
  const agent = { runtime: "command" as const, command: ["my agent", 'say "hi"', "a\\b\n"] };
  expect(parsed(DRAFT, { agent }).agent).toMatchObject({
    command: ["my agent", 'say "hi"', "a\\b\n"],
  });
});
