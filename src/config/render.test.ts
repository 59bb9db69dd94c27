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
    "# Pawl's settings for this project. Commit them: those on the target count.

    [project]
    name = "app"
    target = "main"
    parallel = 3            # issues worked on at once

    [agent]
    runtime = "claude"      # see docs/claude-code.md for what it may do
    # pass_env = ["LANG"]   # your environment variables that agents may see

    [ci]
    command = "npm test"  # from package.json
    # command = "make test"  # from Makefile
    setup = "npm ci"
    keep = ["node_modules"]  # kept between checkouts
    # timeout = "30 min"

    [review]
    required = false        # true: nothing lands without an approving review

    [merge_queue]
    protected = ["package.json"]  # changes of it need \`pawl merge-queue approve\`

    # [merge]
    # strategy = "rebase"   # the default; or "merge", "squash"

    [isolation]             # the walls around agents, see docs/security.md
    mode = "none"           # agents have all rights of your user
    # network = "open"      # or "hosts", "none"; see docs/network.md first
    # read = ["~/.rustup"]  # what else agents may read

    # [workspace]
    # setup = "npm ci"      # in each new workspace, before the agent starts
    # copy = [".env"]       # ignored files that agents need

    # The other roles. The dev role works on issues labelled \`backlog\`, and the
    # action role on those labelled \`action\`: both are on. See docs/roles.md.
    # For the review role, write role = true into [review] above.
    #
    # [schedule.gardener]     # grooms the backlog
    # cron = "0 5,17 * * *"
    # role = "gardener"
    #
    # [schedule.supervisor]   # looks after machine and factory
    # every = "20 min"
    # role = "supervisor"
    #
    # [schedule.predictor]    # files predictions, for the planner to triage
    # cron = "0 6 * * *"
    # role = "predictor"
    #
    # [schedule.planner]      # plans from VISION.md
    # cron = "0 7 * * 1"
    # role = "planner"
    #
    # [vault]                 # dangerous actions wait for \`pawl vault approve\`
    # expires = "7 d"
    "
  `);
});

test("what is written is accepted and means what was found", () => {
  expect(parsed(DRAFT)).toMatchObject({
    name: "app",
    target: "main",
    agent: { runtime: "claude", settings: { permissionMode: "dontAsk" } },
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

test("why there are no walls is written beside the mode", () => {
  const isolation = { mode: "none" as const, why: "Codex would not find its login" };
  expect(renderConfig(DRAFT, { agent: { runtime: "codex" }, isolation })).toContain(
    'mode = "none"           # agents have all rights of your user: Codex would not find its login',
  );
  expect(parsed(DRAFT, { isolation: { mode: "bwrap" } }).isolation?.mode).toBe("bwrap");
});

test("toolchains in the home are written below the walls, and registries suggested", () => {
  const isolation = { mode: "bwrap" as const, read: ["~/.rustup"], hosts: ["index.crates.io"] };
  expect(parsed(DRAFT, { isolation }).isolation?.read).toEqual(["~/.rustup"]);
  expect(renderConfig(DRAFT, { isolation })).toContain('# hosts = ["index.crates.io"]\n');
});

test("the user's own agent is written with its arguments", () => {
  const agent = { runtime: "command" as const, command: ["my agent", 'say "hi"', "a\\b\n"] };
  expect(parsed(DRAFT, { agent }).agent).toMatchObject({
    command: ["my agent", 'say "hi"', "a\\b\n"],
  });
});

test("the whole factory is one uncomment away: the commented sections are valid, and name every role", () => {
  const text = renderConfig(DRAFT);
  const from = text.indexOf("# [schedule.gardener]");
  const sections = text
    .slice(from)
    .split("\n")
    .map((line) => line.replace(/^# ?/, ""));
  const result = parseConfig(text.slice(0, from) + sections.join("\n"), "pawl.toml");
  if (result.kind === "invalid") throw new Error(JSON.stringify(result.problems));
  expect(result.config.schedules?.map(({ work }) => work)).toEqual(
    ["gardener", "supervisor", "predictor", "planner"].map((role) => ({ kind: "role", role })),
  );
  expect(result.config.vault?.expiresMs).toBe(7 * 86_400_000);
  for (const role of ["dev", "action", "review"]) expect(text).toContain(`${role} role`);
});
