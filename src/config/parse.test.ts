import { expect, test } from "vitest";
import { parseConfig } from "./parse.ts";
import { formatProblems } from "./problem.ts";

const LEAST = `[project]
name = "toy"
target = "main"
parallel = 3
[agent]
runtime = "command"
command = ["sh", "agent.sh"]
[ci]
command = "sh test.sh"
[review]
required = false
`;

function accept(text: string) {
  const parsed = parseConfig(text, "pawl.toml");
  if (parsed.kind === "invalid") throw new Error(formatProblems(parsed.problems));
  return parsed.config;
}

function refuse(text: string): string {
  const parsed = parseConfig(text, "pawl.toml");
  return parsed.kind === "invalid" ? formatProblems(parsed.problems) : "valid";
}

test("the least file that works is completed with every default", () => {
  expect(accept(LEAST)).toMatchInlineSnapshot(`
    {
      "agent": {
        "command": [
          "sh",
          "agent.sh",
        ],
        "env": {},
        "limit": {
          "ask": false,
          "retryMs": 900000,
        },
        "passEnv": [],
        "runtime": "command",
      },
      "ci": {
        "gates": [
          {
            "command": "sh test.sh",
            "name": "test",
            "timeoutMs": 1800000,
          },
        ],
        "history": false,
        "keep": [],
        "none": false,
        "setup": undefined,
        "slots": 1,
      },
      "git": {
        "author": undefined,
        "sign": false,
      },
      "limits": {
        "actionIdleMs": 14400000,
        "actionLifeMs": 28800000,
        "branchMaxMb": 2000,
        "ciFixesMax": 3,
        "ciTimeoutMs": 1800000,
        "conflictsMax": 3,
        "contextHigh": 80,
        "contextMedium": 70,
        "crashWindowMs": 3600000,
        "crashesMax": 3,
        "escalationReminderMs": 21600000,
        "escalationTimeoutMs": 86400000,
        "exitMs": 60000,
        "graceMs": 10000,
        "handOffMs": 60000,
        "idleCheckMs": 10000,
        "lifeMs": 28800000,
        "nudgesMax": 2,
        "quietWarningMs": 900000,
        "reviewRoundsMax": 5,
        "reviewTimeoutMs": 10800000,
        "staleMs": 300000,
        "stuckMs": 7200000,
        "unreadMs": 600000,
      },
      "merge": {
        "lanes": 1,
        "strategy": "rebase",
      },
      "name": "toy",
      "parallel": 3,
      "review": {
        "required": false,
      },
      "stateDir": undefined,
      "target": "main",
      "workspace": {
        "copy": [],
        "ports": undefined,
        "setup": undefined,
        "teardown": undefined,
        "timeoutMs": 600000,
      },
    }
  `);
});

test("every section and key is read", () => {
  const config = accept(`
[project]
name = "all-of-it"
target = "release/2.x"
parallel = 512
state_dir = ".claude/state"
[agent]
runtime = "script"
pass_env = ["LANG"]
[agent.env]
MODE = "fast"
[ci]
setup = "npm ci"
timeout = "1 h 30 min"
keep = ["node_modules", "target/debug"]
history = true
slots = 2
gates = [{ name = "lint", command = "npm run lint", timeout = "90s" }, { name = "unit", command = "npm test" }]
[review]
required = true
[merge]
strategy = "squash"
lanes = 4
[workspace]
setup = "npm ci"
teardown = "docker compose down"
timeout = "5 min"
copy = [".env", "config/local.json"]
ports_first = 20000
ports_count = 10
[git]
sign = true
author = "Pawl Bot <pawl@example.org>"
[limits]
ci_fixes = 1
stuck = "30 min"
`);
  expect(config).toMatchObject({
    target: "release/2.x",
    stateDir: ".claude/state",
    agent: { runtime: "script", command: [], passEnv: ["LANG"], env: { MODE: "fast" } },
    ci: {
      gates: [
        { name: "lint", command: "npm run lint", timeoutMs: 90_000 },
        { name: "unit", command: "npm test", timeoutMs: 5_400_000 },
      ],
      none: false,
      setup: { command: "npm ci", timeoutMs: 5_400_000 },
      keep: ["node_modules", "target/debug"],
      history: true,
      slots: 2,
    },
    review: { required: true, instructions: expect.arrayContaining(["CLAUDE.md"]) },
    merge: { strategy: "squash", lanes: 4 },
    workspace: {
      timeoutMs: 300_000,
      copy: [".env", "config/local.json"],
      ports: { first: 20_000, count: 10 },
    },
    git: { sign: true, author: { name: "Pawl Bot", email: "pawl@example.org" } },
    limits: { ciFixesMax: 1, stuckMs: 1_800_000, nudgesMax: 2 },
  });
});

test("a run's CI limit is never shorter than its longest gate, unless it is stated", () => {
  const slow = LEAST.replace("[review]", 'timeout = "2 h"\n[review]');
  expect(accept(slow).limits.ciTimeoutMs).toBe(7_200_000);
  expect(accept(`${slow}[limits]\nci_timeout = "1 h"\n`).limits.ciTimeoutMs).toBe(3_600_000);
});

test("no CI is accepted where it is stated", () => {
  expect(accept(LEAST.replace('command = "sh test.sh"', "none = true")).ci).toMatchObject({
    none: true,
    gates: [],
  });
});

test("a misspelt key is one problem, with its line and the right spelling", () => {
  expect(refuse(LEAST.replace("command = [", "comand = ["))).toBe(
    'pawl.toml:7: agent.comand is not a known key. Did you mean "command"?',
  );
  expect(refuse(LEAST.replace("[project]", "[projct]"))).toBe(
    'pawl.toml:1: projct is not a known key. Did you mean "project"?',
  );
});

test("every problem of a file is listed, in the order of the file", () => {
  const text = `# the toy
[project]
name = "My App"
target = "no such branch"
parallel = 1000

[agent]
runtime = "comand"
pass_env = ["HOME", "PAWL_RUN"]
env = { "A B" = "x", OK = 3 }

[ci]
timeout = "30"
slots = "2"
history = "no"
keep = [
  "node_modules", # kept
  "../x",
]
[[ci.gates]]
name = "a"
command = ""
[[ci.gates]]
name = "a"
timeot = 3
[limits]
lanes = 1
foo = 2
stuck = 5
life = "0 s"
[git]
author = "me"
[workspace]
ports_first = 80
`;
  expect(refuse(text).replace(/("claude")[^.]*/, "$1, …")).toMatchInlineSnapshot(`
    "pawl.toml:3: project.name is "My App". Use a–z, 0–9 and "-", at most 40 characters, e.g. "my-app".
    pawl.toml:4: project.target is "no such branch". Write the name of a branch, e.g. "main".
    pawl.toml:5: project.parallel is 1000. Write a number of at most 512.
    pawl.toml:8: agent.runtime is "comand". Write one of "command", "script", "claude", …. Did you mean "command"?
    pawl.toml:9: agent.pass_env[1] is "PAWL_RUN". Use letters, digits and "_"; names that start with PAWL_ are Pawl's own.
    pawl.toml:10: agent.env.A B is "A B". Use letters, digits and "_"; names that start with PAWL_ are Pawl's own.
    pawl.toml:10: agent.env.OK is 3. Write a string in quotes, "…".
    pawl.toml:13: ci.timeout is "30", which is not a duration. Write a number and a unit, e.g. "90 s", "30 min" or "2 h".
    pawl.toml:14: ci.slots is "2". Write a whole number, without quotes.
    pawl.toml:15: ci.history is "no". Write true or false, without quotes.
    pawl.toml:18: ci.keep[1] is "../x". Write a path inside the repository, without "..", e.g. "node_modules".
    pawl.toml:22: ci.gates[0].command is empty. Fill it or leave it out.
    pawl.toml:23: ci.gates[1].command is missing. Write command = "…".
    pawl.toml:24: ci.gates[1].name is "a" for the second time. Use different names.
    pawl.toml:25: ci.gates[1].timeot is not a known key. Did you mean "timeout"?
    pawl.toml:27: limits.lanes is not a known key. "lanes" belongs in [merge].
    pawl.toml:28: limits.foo is not a known key. Keys of [limits]: ci_fixes, review_rounds, conflicts, nudges, branch_mb, crashes, crash_window, ci_timeout, review_timeout, escalation_reminder, escalation_timeout, farewell, grace, quiet_warning, stuck, life, action_life, action_idle, idle_check, stale, hand_off, context_medium, context_high, unread.
    pawl.toml:29: limits.stuck is 5. Write a string in quotes, "…".
    pawl.toml:30: limits.life is "0 s". Write a duration from "1 s" to "20 d".
    pawl.toml:32: git.author is "me". Write "Name <name@example.org>".
    pawl.toml:34: workspace.ports_first is 80. Write a number of at least 1024.
    pawl.toml:34: workspace.ports_first needs ports_count beside it, e.g. ports_count = 10."
  `);
});

test("an empty file is told what to write", () => {
  expect(refuse("")).toMatchInlineSnapshot(`
    "pawl.toml:1: project is missing. Write [project] with name = "my-app" and target = "main".
    pawl.toml:1: agent is missing. Write [agent] with runtime = "command" and command = ["program", "argument"].
    pawl.toml:1: ci is missing. Write [ci] with command = "…" (your tests), or with none = true if there are none."
  `);
});

test("CI that is neither stated nor denied is refused", () => {
  expect(refuse(LEAST.replace('command = "sh test.sh"\n', "slots = 1\n"))).toMatchInlineSnapshot(
    `"pawl.toml:8: ci has no gate. Write command = "…" (your tests) or [[ci.gates]] below [ci], or none = true if nothing is to be checked."`,
  );
});

test("contradictions in [ci] are refused", () => {
  const gates = '[[ci.gates]]\nname = "a"\ncommand = "b"\n';
  expect(refuse(LEAST.replace("[review]", `${gates}[review]`))).toMatchInlineSnapshot(
    `"pawl.toml:9: ci.command and [[ci.gates]] cannot be used together. Make the command a gate of its own, or remove one of them."`,
  );
  expect(refuse(LEAST.replace("[review]", "none = true\n[review]"))).toMatchInlineSnapshot(
    `"pawl.toml:9: ci.command and ci.none cannot be used together. Remove ci.none to have checks."`,
  );
  expect(refuse(LEAST.replace("[review]", "none = false\n[review]"))).toMatchInlineSnapshot(`
    "pawl.toml:9: ci.command and ci.none cannot be used together. Remove ci.none to have checks.
    pawl.toml:10: ci.none is false. Write true or leave it out."
  `);
});

const CLAUDE = LEAST.replace('runtime = "command"', 'runtime = "claude"');

test("Claude Code refuses what is not on the list unless told otherwise", () => {
  const { agent } = accept(CLAUDE);
  expect(agent.settings).toEqual({
    permissionMode: "dontAsk",
    allow: ["Bash", "Read", "Glob", "Grep", "TodoWrite", "Agent", "Task", "Skill"],
    deny: [],
    args: [],
  });
  expect(agent).not.toHaveProperty("model");
});

test("Claude Code's rules are the user's", () => {
  const written = `${CLAUDE}\n[agent.claude]\npermission_mode = "default"\nallow = ["Read"]\nmodel = "opus"\n`;
  expect(accept(written).agent).toMatchObject({
    model: "opus",
    settings: { permissionMode: "default", allow: ["Read"] },
  });
});

test("rules for Claude Code are refused where something else runs", () => {
  expect(refuse(`${LEAST}\n[agent.claude]\nmodel = "opus"\n`)).toContain(
    '[agent.claude] is for runtime "claude"',
  );
});

test("the runtime `command` needs a command", () => {
  expect(refuse(LEAST.replace('command = ["sh", "agent.sh"]\n', ""))).toMatchInlineSnapshot(
    `"pawl.toml:5: agent.command is missing: runtime "command" needs the program to start. Write command = ["program", "argument"]."`,
  );
});

test("a command without a program is refused", () => {
  expect(refuse(LEAST.replace('["sh", "agent.sh"]', '["", "x"]'))).toBe(
    "pawl.toml:7: agent.command names no program. Write it first in the list.",
  );
  expect(refuse(LEAST.replace('["sh", "agent.sh"]', "[]"))).toBe(
    "pawl.toml:7: agent.command names no program. Write it first in the list.",
  );
});

test("a port without its partner is refused", () => {
  expect(refuse(`${LEAST}[workspace]\nports_count = 5\n`)).toMatchInlineSnapshot(
    `"pawl.toml:13: workspace.ports_count needs ports_first beside it, e.g. ports_first = 20000."`,
  );
});

test("channels are completed, named after their kind, and need what they cannot do without", () => {
  const channel = (lines: string): string => `${LEAST}[[notify]]\n${lines}\n`;
  expect(
    accept(channel('kind = "slack"\nurl_env = "URL"\ndaily_summary = "08:30"')).notify,
  ).toEqual([
    {
      kind: "slack",
      name: "slack",
      severity: "warning",
      urlEnv: "URL",
      foldMs: 600_000,
      timeoutMs: 10_000,
      summaryAt: 510,
    },
  ]);
  expect(refuse(channel('kind = "ntfy"'))).toBe(
    'pawl.toml:13: notify[0].url_env is missing: kind "ntfy" needs it. Write url_env = "NTFY_URL".',
  );
  expect(refuse(channel('kind = "forge"\n[[notify]]\nkind = "forge"'))).toBe(
    'pawl.toml:15: notify[1] is called "forge" like another. Give it a name = "…" of its own.',
  );
  expect(refuse(channel('kind = "desktop"\ndaily_summary = "8"'))).toContain('e.g. "08:00"');
});

test("text that is no TOML is refused with line, column and excerpt", () => {
  expect(refuse(LEAST.replace('"main"', "main"))).toMatchInlineSnapshot(`
    "pawl.toml:3: not valid TOML at column 10: invalid value.

        2:  name = "toy"
        3:  target = main
                     ^
        4:  parallel = 3
    "
  `);
});

test("a long line that is no TOML is quoted around the column, so that it fits 80 columns", () => {
  const comment = `# ${"a long comment ".repeat(8)}`;
  const atStart = refuse(LEAST.replace('"main"', `main ${comment}`));
  expect(atStart).toContain("    3:  target = main # a long comment a long");
  const far = refuse(LEAST.replace('"main"', `["main", ${'"another", '.repeat(12)}]] ${comment}`));
  expect(far).toMatch(/ {4}3: {2}….*"another", \]\] # a.*…\n/);
  for (const text of [atStart, far]) {
    const quoted = text.split("\n").slice(2);
    expect(Math.max(...quoted.map((line) => line.length))).toBeLessThanOrEqual(80);
    const [line = "", mark = ""] = quoted.slice(1, 3);
    expect(line.slice(mark.indexOf("^")), text).toMatch(/^(main|\])/);
  }
});

test.each(["-main", "a..b", "a b", "main.lock", "/main", "main/", "a//b", "", "HEAD^"])(
  "%j is no target branch",
  (target) => {
    expect(refuse(LEAST.replace('"main"', JSON.stringify(target)))).toContain("project.target");
  },
);

test.each(["/etc", "..", "a/../b", ".git", ".git/hooks", "~/x", "", "."])(
  "%j is not kept between checkouts",
  (path) => {
    const text = LEAST.replace("[review]", `keep = [${JSON.stringify(path)}]\n[review]`);
    expect(refuse(text)).toContain("ci.keep[0]");
  },
);

const withCi = (ci: string): string =>
  LEAST.replace('[ci]\ncommand = "sh test.sh"\n', `[ci]\n${ci}\n`);

test("a CI server needs no gate of the project's own", () => {
  const { ci } = accept(withCi('server = "woodpecker"\n[ci.woodpecker]\nrepo = "ann/toy"'));
  expect(ci).toMatchObject({
    gates: [],
    none: false,
    server: { kind: "woodpecker", url: undefined, repo: "ann/toy", pollMs: 30_000 },
  });
});

test("what belongs to one CI server is refused for another, and beside `none`", () => {
  expect(refuse(withCi('command = "x"\n[ci.woodpecker]\nrepo = 1'))).toContain(
    'ci.woodpecker is for server = "woodpecker"',
  );
  expect(refuse(withCi('none = true\nserver = "woodpecker"'))).toContain(
    "ci.server and ci.none cannot be used together",
  );
  const secret = '[ci.woodpecker]\nurl = "https://me:pass@ci.example.org"';
  expect(refuse(withCi(`server = "woodpecker"\n${secret}`))).toContain("without a password");
});

test("the largest file that is saved is set in megabytes, with or without a remote", () => {
  expect(accept(`${LEAST}[checkpoints]\nfile_mb = 2000\n`).checkpoints).toEqual({ fileMb: 2000 });
  const both = accept(`${LEAST}[checkpoints]\npush = "backup"\nfile_mb = 1\n`);
  expect(both.checkpoints).toEqual({ push: "backup", fileMb: 1 });
  expect(refuse(`${LEAST}[checkpoints]\nfile_mb = 0\n`)).toContain("file_mb");
});

test.each(['"three', "'three"])("a string that is not closed in its line: %s", (value) => {
  const result = parseConfig(`[project]\nparallel = ${value}\nname = "x"\n`, "pawl.toml");
  expect(result).toMatchObject({
    kind: "invalid",
    problems: [{ line: 2, message: expect.stringMatching(/; is the closing quote missing\?$/) }],
  });
});
