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
    runtime = "claude"      # \`pawl status\` says what it may do
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

    [isolation]             # \`pawl config explain isolation.mode\` says more
    mode = "none"           # no walls: agents have all rights of your user
    # \`pawl config explain isolation.network\` says what each of these lets through.
    # network = "open"      # or "hosts", "none"
    # read = ["~/.rustup"]  # what else agents may read

    # [workspace]
    # setup = "npm ci"      # in each new workspace, before the agent starts
    # copy = [".env"]       # ignored files that agents need

    # The other roles. The dev role works on issues labelled \`backlog\`, and the
    # action role on those labelled \`action\`: both are on.
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

test("why there are no walls, and how to get them, is written below the mode in lines of its own", () => {
  const why = "a program of your own might not find its login inside walls";
  const isolation = {
    mode: "none" as const,
    why,
    hint: 'if your program needs nothing from your home folder, set `[isolation] mode = "bwrap"`',
  };
  expect(renderConfig(DRAFT, { agent: { runtime: "codex" }, isolation })).toContain(
    `mode = "none"           # no walls: agents have all rights of your user
# A program of your own might not find its login inside walls. If your program
# needs nothing from your home folder, set \`[isolation] mode = "bwrap"\`.
`,
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

const FORGE = {
  kind: "gitea" as const,
  url: "https://codeberg.org",
  repo: "ada-and-friends/my-app",
};
const NO_BWRAP = {
  mode: "none" as const,
  why: "bwrap: setting up uid map: Permission denied, as always on this machine without a fix of its own",
  hint: 'see docs/security.md, then set `[isolation] mode = "bwrap"`',
};
const READ = [".nvm", ".local/share/fnm", ".cargo/registry", ".local/share/mise", "go/pkg/mod"];
const HOSTS = ["registry.npmjs.org", "proxy.golang.org", "sum.golang.org", "index.crates.io"];
const TOOLS = { mode: "bwrap" as const, read: READ.map((one) => `~/${one}`), hosts: HOSTS };
const LONG = {
  setup: undefined,
  keep: ["node_modules", ".venv"],
  from: "scripts/run-all-tests.sh",
};

test.each<[string, Choices, Draft?]>([
  ["a program of your own", { agent: { runtime: "command", command: ["sh", "agent.sh"] } }],
  ["the script agent", { agent: { runtime: "script" }, isolation: NO_BWRAP }],
  ["many toolchains", { isolation: TOOLS }],
  ["no tests", { ci: "none" }],
  ["no known tests", {}, { ...DRAFT, testCommands: [] }],
  ["a long test command", { ci: { ...LONG, command: `sh ${LONG.from} --quiet --all-of-them` } }],
])("no line is wider than 80 columns with %s", (_what, choices, draft = DRAFT) => {
  for (const isReady of [true, false]) {
    const text = renderConfig(draft, choices, { ...FORGE, isReady });
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text).not.toMatch(/see docs\/(?!security)/);
    expect(parseConfig(text, "pawl.toml").kind).toBe("valid");
  }
  expect(parsed(draft, choices).isolation?.read ?? []).toEqual(
    choices.isolation === TOOLS ? TOOLS.read : [],
  );
});
