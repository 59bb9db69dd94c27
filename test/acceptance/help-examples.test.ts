// Every example in the help of every command is typed as it stands there: in a factory without a daemon,
// or in one with a daemon and something of everything. Where the factory calls something else (the
// seventh issue has landed, so that another one is stopped), one word is replaced.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { helpExamples } from "../support/help-examples.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, writeFiles, type Factory } from "../support/pawl.ts";
import { MAIN, SOURCES } from "../support/program.ts";
import { startReceiver } from "../support/receiver.ts";
import { sessionFactory } from "../support/sessions.ts";

const ROOT = join(import.meta.dirname, "../..");
const EXAMPLE_MAX_MS = 240_000;

/** What is not typed here, and the test that runs it. */
const ELSEWHERE: [example: RegExp, why: string][] = [
  [/^pawl demo(?! --clean)/, "takes a minute, some with a real agent: demo.test.ts, test/claude"],
  [/^pawl agent check claude/, "needs Claude Code: test/agents"],
  [/^pawl init$/, "asks at a keyboard: init-asks.test.ts"],
  [/^pawl up --as pawl/, "needs another account: as-account.test.ts"],
  [
    /^pawl (?:run|daemon|top.*|status --watch|signals --follow .*|logs dev-7 -f)$/,
    "runs until Ctrl-C: live-screen.test.ts, daemon-life.test.ts, cli.test.ts",
  ],
  [/^pawl (?:attach|hold 7 && pawl attach)/, "needs a keyboard: next-steps.test.ts"],
  [
    /^pawl escalation answer (?:target|set-up|budget)/,
    "needs a broken project: broken-gate.test.ts, broken-set-up.test.ts, budget.test.ts",
  ],
  [/^pawl orchestrator-helper parse-output/, "asks a small model: test/claude"],
  [/^pawl page revoke/, "needs a browser that signed in: page.test.ts"],
  [/^pawl recover --from/, "needs another machine's backup: recovery-machine.test.ts"],
];

/** With a daemon, and agents at work. */
const BUSY =
  /^pawl (?:pr|ci|escalation|mail|nudge|stop|retry|release|hold|vault|page|agents|history|role|logs|diff|why|signals|hook show|context usage|formula (?:run|status|stop)|gate|patrol|schedule|plugin|checkpoint|notify|merge-queue approve)\b/;

/** One word that is another one here, and what must be so before. */
type Here = { instead?: [string, string]; before?: (factory: Factory) => Promise<unknown> };

const stopped = (factory: Factory) => factory.ok("stop", "4");
const queued = (branch: string) => (factory: Factory) => factory.ok("merge-queue", "add", branch);

const HERE: [example: string, here: Here][] = [
  ["git commit", { before: async (factory) => factory.write({ "spec.md": "More.\n" }) }],
  ["pawl project remove toy", { instead: ["toy", "{project}"] }],
  ["pawl merge-queue explain 42", { instead: ["42", "feature/x"], before: queued("feature/x") }],
  ["pawl merge-queue add feature/x", { instead: ["feature/x", "feature/w"] }],
  ["pawl merge-queue approve 42", { instead: ["42", "policy"] }],
  ["pawl merge-queue priority 12", { instead: ["12", "feature/y"] }],
  ["pawl merge-queue process", { before: queued("feature/x") }],
  ["pawl pr review 9 --request-changes", { instead: ["9", "10"] }],
  ["pawl escalation show 7", { instead: ["7", "5"] }],
  ["pawl escalation answer 7 --body-file", { instead: ["7", "6"] }],
  ["pawl escalation answer 7", { instead: ["7", "5"] }],
  ["pawl mail send dev-42", { instead: ["42", "4"] }],
  ["pawl nudge dev-7", { instead: ["7", "3"] }],
  ["pawl stop 7", { instead: ["7", "3"] }],
  ["pawl retry 7", { instead: ["7", "3"] }],
  ["pawl release 7", { instead: ["7", "4"], before: (factory) => factory.ok("hold", "4") }],
  ["pawl vault reject", { instead: ["v-3f2a9c1b", "v-77b0c2d4"] }],
  ["pawl vault confirm", { instead: ["v-3f2a9c1b", "v-0a0b0c0d"] }],
  ['pawl vault request --what "Close the epic"', { instead: ["12", "2"] }],
  ["pawl diff 7", { instead: ["7", "4"] }],
  ["pawl gate create --type timer", { instead: ["42", "4"] }],
  ["pawl gate create --type pr", { instead: ["43", "10"] }],
  ["pawl gate close release.1.ship --refuse", { instead: ["release.1", "release.2"] }],
  ["pawl formula stop release.1", { instead: ["release.1", "release.3"] }],
  ["pawl checkpoint restore 7 12 --into", { instead: ["7 12", "4 1"], before: stopped }],
  ["pawl checkpoint restore 7 12 --to", { instead: ["7 12 --to /tmp/", "4 1 --to ./"] }],
  ["pawl checkpoint list 7", { instead: ["7", "4"] }],
  ["pawl checkpoint", { instead: ["7 12", "4 1"] }],
];

/** Exit codes that help explains, other than 0. */
const CODES: [example: string, code: number][] = [
  ["pawl formula run release --var version=1.2", 8],
  ["pawl gate check", 8],
  ["pawl tmux-wrapper exists sa-app-260301-120000-e5-s5-3-dev", 1],
];

const RELEASE = `name = "release"
description = "Release."
[vars.version]
required = true
[[steps]]
id = "ask"
title = "Release {{version}}?"
gate = "human"
[[steps]]
id = "ship"
title = "Ship {{version}}?"
gate = "human"
`;
const SWEEP = '[[steps]]\nid = "sweep"\ncommand = "true"\n';
const FIELD = `formula = "shiny"\ndescription = "Shine."\nversion = 1\n[[steps]]\nid = "shine"\ntitle = "Shine"\ndescription = "Shine."\n`;
const FILES = {
  ".pawl/formulas/release.toml": RELEASE,
  ".pawl/formulas/sweep.toml": `name = "sweep"\ndescription = "Sweep."\n${SWEEP}`,
  "plugins/sweep/plugin.md": '---\ngate: {type: manual}\nrun: [echo, "3"]\n---\n',
  "vault/handlers/blog-post": "#!/bin/sh\ncat > /dev/null\n",
  "deploy.sh": "#!/bin/sh\n",
  "go.sh": "#!/bin/sh\n",
  "spec.md": "Parse dates.\n",
  "backlog.md": "# One\n\nDo it.\n\n# Two\n\nDo that.\n",
  "answer.md": "The second form.\n",
  "n.json": "{}\n",
  "post.json": "{}\n",
  "state-5.md": "---\nepic: 5\nstatus: PAUSED\n---\n",
  "docs/state/orchestration-5.md": "---\nepic: 5\nstatus: PAUSED\n---\n",
  "output.txt": "done\n",
  "_bmad-output/implementation-artifacts/sprint-status.yaml":
    "development_status:\n  5-3-login: done\n",
  "_bmad-output/implementation-artifacts/5-3-login.md": "# Story 5.3: Login\n\nStatus: done\n",
  "test.sh": "exit 0\n",
};
const MORE = `[schedule.nightly]
every = "24 h"
formula = "sweep"
[[notify]]
kind = "command"
command = ["true"]
`;

const SLACK = '[[notify]]\nkind = "slack"\nurl_env = "SLACK_URL"\n';

const AGENT = `
case $PAWL_NAME in
  7|8) echo fixed > "parser-$PAWL_NAME.txt"; git add .; git commit -qm "Fix"; phase awaiting_ci; await never ;;
  5|6) printf 'PHASE:escalate\\nReason: which form?\\n' > "$PAWL_PHASE_FILE"; await never ;;
  *) echo begun > "work-$PAWL_NAME.txt"; await never ;;
esac
`;

/** Without a daemon. */
async function makeAlone(): Promise<Factory> {
  const alone = await makeFactory({ config: `${SCRIPT_AGENT}${TEST_GATE}${MORE}`, files: FILES });
  prepare(alone);
  await alone.register();
  for (let number = 1; number <= 7; number += 1) await file(alone, `Later ${number}`, []);
  for (const branch of ["feature/w", "feature/x", "feature/y", "fix/one"]) {
    alone.git("checkout", "-qb", branch, "main");
    alone.commit({ [`${branch.replace("/", "-")}.txt`]: "1\n" });
  }
  alone.git("checkout", "-q", "main");
  return alone;
}

async function makeBusy(): Promise<Factory> {
  const busy = await sessionFactory(AGENT, {
    parallel: 8,
    ci: 'command = "sh test.sh"',
    more: `[review]\nrequired = true\n[vault]\nsecrets = ["KEY"]\n${MORE}${SLACK}`,
  });
  prepare(busy);
  busy.commit(FILES, "Files");
  busy.git("checkout", "-qb", "policy");
  busy.commit({ "pawl.toml": `${busy.read("repo", "pawl.toml")}# changed\n` });
  busy.git("checkout", "-q", "main");
  receiver = await startReceiver();
  busy.env["SLACK_URL"] = receiver.url;
  const labels = (number: number): string[] => (number >= 3 && number <= 7 ? ["backlog"] : []);
  await busy.register();
  for (let number = 1; number <= 8; number += 1) {
    await file(busy, number === 7 ? "Fix the parser" : `Work ${number}`, labels(number));
  }
  for (const subject of ["Port", "Host", "Name"]) {
    await busy.ok("mail", "send", "operator", "--subject", subject);
  }
  const items = [
    ["v-3f2a9c1b", "true"],
    ["v-77b0c2d4", "true"],
    ["v-0a0b0c0d", "false"],
  ] as const;
  for (const [id, program] of items) {
    await busy.ok(
      "vault",
      "request",
      "--id",
      id,
      "--what",
      "Announce 1.2",
      "--command",
      "--",
      program,
    );
  }
  await busy.ok("up");
  await busy.until("#7 is reviewed", async () => (await busy.runOf(7)).stage === "reviewing");
  await busy.ok("issue", "edit", "8", "--add-label", "backlog");
  await busy.ok("vault", "approve", "v-0a0b0c0d");
  await busy.ok("merge-queue", "add", "policy");
  for (let run = 0; run < 3; run += 1)
    await busy.ok("formula", "run", "release", "--var", "version=1.2", "--detach");
  await busy.until("everything is prepared", async () => {
    const stages = await Promise.all(
      [3, 4, 5, 6, 8].map(async (issue) => (await busy.runOf(issue)).stage),
    );
    const isReady = stages.join() === "working,working,escalated,escalated,reviewing";
    const item = await busy.client.get<{ status: string }>("/v1/vault/v-0a0b0c0d");
    const isHeld = (await busy.status()).waits.some(({ about }) => about.includes("policy"));
    const isBegun = busy.seen("started-4-1") && busy.seen("started-3-1");
    return isReady && isHeld && isBegun && item.status === "unsure";
  });
  return busy;
}

const made = new Map<() => Promise<Factory>, Promise<Factory>>();

/** Each is made once, where the first example needs it. */
function once(make: () => Promise<Factory>): Promise<Factory> {
  const before = made.get(make) ?? make();
  made.set(make, before);
  return before;
}

let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined;

afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]();
  for (const factory of made.values()) await (await factory)[Symbol.asyncDispose]();
});

const file = (factory: Factory, title: string, labels: string[]): Promise<unknown> =>
  factory.client.post("/v1/issues", { title, labels, key: title, author: "test" });

/** `pawl` is on the PATH; what an example pipes its answer into only takes it. */
function prepare(factory: Factory): void {
  const bin = join(factory.root, "bin");
  const pawl = `#!/bin/sh\nexec "${process.execPath}" "\${PAWL_HERE:-${MAIN}}" "$@"\n`;
  const take = "#!/bin/sh\ncat > /dev/null\n";
  writeFiles(bin, { pawl, jq: take, dot: take, less: take });
  for (const name of ["pawl", "jq", "dot", "less"]) chmodSync(join(bin, name), 0o755);
  factory.env["PATH"] = [bin, factory.env["PATH"] ?? ""].join(delimiter);
  const user = factory.env["HOME"] ?? "";
  for (const path of [
    "bin",
    ".zfunc",
    ".config/fish/completions",
    ".local/share/bash-completion/completions",
  ]) {
    mkdirSync(join(user, path), { recursive: true });
  }
  writeFiles(factory.repo, { ".git/info/exclude": "/pawl\n*.svg\n*.csv\n" });
  symlinkSync(join(ROOT, "pawl"), join(factory.repo, "pawl"));
  writeFiles(factory.root, { "gastown/shiny.formula.toml": FIELD, ".gitignore": "" });
  const session = join(factory.root, "session");
  for (const folder of ["tmp", "new"])
    mkdirSync(join(session, "spool", folder), { recursive: true });
}

/** These leave nothing for the others. */
const LAST = /^pawl (?:project remove .* --yes|uninstall)/;
const inOrder = (example: string): number => Number(LAST.test(example));
const EXAMPLES = (await helpExamples()).toSorted((a, b) => inOrder(a) - inOrder(b));
const isElsewhere = (example: string): boolean =>
  ELSEWHERE.some(([pattern]) => pattern.test(example));

test.each(EXAMPLES.filter((example) => !isElsewhere(example)))("%s", async (example) => {
  const factory = await once(BUSY.test(example) ? makeBusy : makeAlone);
  const here = HERE.find(([start]) => example.startsWith(start))?.[1];
  const [from, to] = here?.instead ?? ["", ""];
  await here?.before?.(factory);
  const typed =
    from === "" ? example : example.replace(from, to.replace("{project}", factory.project));
  const { code, said } = await type(factory, typed);
  const expected = CODES.find(([one]) => example === one)?.[1] ?? 0;
  expect(code, `${typed}\n${said}`).toBe(expected);
});

type Typed = { code: unknown; said: string };

async function type({ root, repo, env }: Factory, typed: string): Promise<Typed> {
  const session = join(root, "session");
  const isOfAgent = /pawl (?:phase|hook set|context report)/.test(typed);
  const own = {
    PAWL_PHASE_FILE: join(session, "phase"),
    PAWL_SPOOL: join(session, "spool"),
    PAWL_RESULT_FILE: join(session, "result"),
    PAWL_ROLE: "dev",
    PAWL_NAME: "4",
  };
  const sources = /pawl link/.test(typed) ? { PAWL_HERE: SOURCES } : {};
  const here = {
    ...env,
    ...sources,
    ...(isOfAgent ? own : {}),
    name: "sa-none",
    output_file: "output.txt",
    KEY: "t",
  };
  const options = { cwd: repo, env: here, timeout: EXAMPLE_MAX_MS };
  return new Promise((resolve) => {
    const end = (error: unknown, stdout: string, stderr: string): void => {
      const code = error === null ? 0 : (error as { code?: unknown }).code;
      resolve({ code, said: `${stdout}${stderr}` });
    };
    execFile("bash", ["-o", "pipefail", "-c", typed], options, end).stdin?.end();
  });
}

test("what is typed by another test is little, and every entry of the lists is about an example", () => {
  const stale = [
    ...ELSEWHERE.filter(([pattern]) => !EXAMPLES.some((one) => pattern.test(one))).map(
      ([one]) => one.source,
    ),
    ...[...HERE, ...CODES]
      .map(([start]) => start)
      .filter((start) => !EXAMPLES.some((one) => one.startsWith(start))),
  ];
  expect(stale).toEqual([]);
  expect(EXAMPLES.filter(isElsewhere).length).toBeLessThanOrEqual(22);
  expect(EXAMPLES.length).toBeGreaterThan(150);
});
