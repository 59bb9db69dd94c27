// Every command of the README and of docs is typed as it stands there, with the script agent, in one
// factory without a daemon (what a reader does first) and one with a daemon and something of
// everything. What is not typed says why, in the page itself.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readDocuments, stepsOf, type Document, type Step } from "../support/documents.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE, writeFiles, type Factory } from "../support/pawl.ts";
import { MAIN } from "../support/program.ts";

const ROOT = join(import.meta.dirname, "../..");
const BLOCK_MAX_MS = 240_000;

const DOCUMENTS = readDocuments();

const documentOf = (path: string): Document =>
  DOCUMENTS.find((one) => one.path === path) ?? { path, steps: [] };

/** In this order: what a reader does first, in one home. The last ones remove everything. */
const FIRST_HOUR = ["README.md", "docs/files.md", "docs/tutorial.md"];

const SWEEP = `name = "sweep"\ndescription = "Sweep."\n[[steps]]\nid = "sweep"\ncommand = "true"\n`;
const FIELD = `formula = "tidy"\ndescription = "Tidy up."\nversion = 1\n[[steps]]\nid = "tidy"\ntitle = "Tidy"\ndescription = "Tidy up."\n`;
const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}
[schedule.sweep]
every = "24 h"
formula = "sweep"
[[notify]]
kind = "command"
command = ["true"]
`;
const FILES = {
  ".pawl/formulas/sweep.toml": SWEEP,
  "plugins/count/plugin.md": '---\ngate: {type: manual}\nrun: [echo, "3"]\n---\n',
  "note.md": "Use v2.\n",
  "news.json": "{}\n",
};

let first: Factory;
let busy: Factory;

beforeAll(async () => {
  first = await makeReader({});
  writeFiles(first.root, { "issue.md": "```sh\necho 1 > date.txt\n```\n" });
  const own = join(first.repo, "your-repository");
  first.gitIn(first.repo, "init", "-q", "-b", "main", own);
  writeFiles(own, { "test.sh": "true\n", "issue.md": "```sh\necho 1 > date.txt\n```\n" });
  first.gitIn(own, "add", "-A");
  first.gitIn(own, "commit", "-qm", "Begin");

  busy = await makeReader({ config: CONFIG, files: FILES });
  writeFiles(busy.root, { "gastown/tidy.formula.toml": FIELD });
  await busy.register();
  // So that the 42nd is there, and its agent at work: it is the one that documents speak of.
  for (let number = 1; number < 42; number += 1) {
    await busy.client.post("/v1/issues", {
      title: `Later ${number}`,
      labels: [],
      key: `k${number}`,
      author: "test",
    });
  }
  await busy.addIssue({ title: "Parse dates", body: "```sh\nsleep 1000\n```" });
  for (const subject of ["Port", "Host", "Name"]) {
    await busy.ok("mail", "send", "operator", "--subject", subject);
  }
  for (const id of ["v-3f2a9c1b", "v-77b0c2d4"]) {
    await busy.ok(
      "vault",
      "request",
      "--id",
      id,
      "--what",
      "Announce 1.2",
      "--command",
      "--",
      "true",
    );
  }
  await busy.ok("up");
  await busy.until("dev-42 is at work", async () => (await busy.runOf(42)).stage === "working");
});

afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await busy[Symbol.asyncDispose]();
});

/** `pawl` is on the PATH, and Claude Code is not. */
async function makeReader(options: Parameters<typeof makeFactory>[0]): Promise<Factory> {
  const factory = await makeFactory(options);
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pawl"), SHIM);
  chmodSync(join(bin, "pawl"), 0o755);
  const path = (factory.env["PATH"] ?? "").split(delimiter);
  const others = path.filter((folder) => !existsSync(join(folder, "claude")));
  factory.env["PATH"] = [bin, ...others].join(delimiter);
  // A checkout has its own, beside the README.
  symlinkSync(join(ROOT, "pawl"), join(factory.repo, "pawl"));
  factory.gitIn(factory.root, "config", "--global", "user.name", "Ada");
  factory.gitIn(factory.root, "config", "--global", "user.email", "ada@example.org");
  return factory;
}

/** There is no terminal: nothing can be chosen, and no person presses Ctrl-C at the end. */
const SHIM = `#!/bin/sh
case "$*" in
  init) set -- init --yes ;;
  run) set -- run --until-idle ;;
esac
exec "${process.execPath}" "${MAIN}" "$@"
`;

test.for(DOCUMENTS.filter(({ path }) => !FIRST_HOUR.includes(path) && isTyped(path)))(
  "$path can be typed as it stands",
  { timeout: 2 * BLOCK_MAX_MS },
  (document) => {
    expect(follow(busy, document)).toEqual([]);
  },
);

test.for(FIRST_HOUR)("%s can be typed as it stands", { timeout: 2 * BLOCK_MAX_MS }, (path) => {
  expect(follow(first, documentOf(path))).toEqual([]);
});

function isTyped(path: string): boolean {
  return documentOf(path).steps.some(({ kind }) => kind === "type");
}

/** Takes the steps of one document, in the folder that its own commands lead to; what went wrong. */
function follow(factory: Factory, { path, steps }: Document): string[] {
  const wrong: string[] = [];
  let cwd = factory.repo;
  let seen = "";
  for (const step of steps) {
    if (step.kind === "write") writeFileSync(join(cwd, step.name), step.text);
    if (step.kind === "expect") {
      const shown = seen.split("\n").map(shapeOf);
      const missing = step.lines.filter((line) => !shown.includes(shapeOf(line)));
      if (missing.length > 0) {
        wrong.push(`${path}:${step.line} shows "${missing.join("\n")}", and there was\n${seen}`);
      }
    }
    if (step.kind !== "type") continue;
    const typed = type(factory, step, cwd);
    if (typed.status !== 0) wrong.push(`${path}:${step.line}\n${typed.seen}`);
    ({ cwd, seen } = typed);
  }
  return wrong;
}

type Typed = Extract<Step, { kind: "type" }>;

function type({ root, env }: Factory, { commands }: Typed, cwd: string) {
  const folder = join(root, "cwd");
  const script = [...commands.flatMap(checked), `pwd > "${folder}"`].join("\n");
  const options = { cwd, env, encoding: "utf8", timeout: BLOCK_MAX_MS } as const;
  const { status, stdout } = spawnSync("sh", ["-c", `exec 2>&1\n${script}`], options);
  return { status, seen: stdout, cwd: status === 0 ? readFileSync(folder, "utf8").trim() : cwd };
}

/** A command exits with 0, or with the code that the comment behind it names. */
function checked(command: string): string[] {
  if (command.trim() === "") return [];
  const code = /#.*\bexits with (\d)/.exec(command)?.[1] ?? "0";
  const fail = `{ echo "that exited with $status"; exit 1; }`;
  return [
    `echo '+ '${quoted(command)}`,
    command,
    `status=$?; [ $status = 0 ] || [ $status = ${code} ] || ${fail}`,
  ];
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Neither times, commits nor folders are the same twice. */
const shapeOf = (line: string): string =>
  line
    .trim()
    .replace(/^\d\d:\d\d:\d\d/, "TIME")
    .replaceAll(/\b[0-9a-f]{7,10}\b/g, "COMMIT")
    .replaceAll(/\/\S+\/hello\b/g, "FOLDER");

test("what is not typed says why, and the test it names exists", () => {
  const left = DOCUMENTS.flatMap(({ path, steps }) =>
    steps.flatMap((step) => (step.kind === "leave" ? [{ path, reason: step.reason }] : [])),
  );
  expect(left.length).toBeLessThan(12);
  for (const { path, reason } of left) {
    const named = [...reason.matchAll(/`((?:[\w-]+\.test\.ts)|test\/\w+)`/g)].map(([, name = ""]) =>
      name.startsWith("test/") ? name : `test/acceptance/${name}`,
    );
    expect(named, `${path}: ${reason}`).not.toEqual([]);
    for (const name of named) expect(existsSync(join(ROOT, name)), `${path}: ${name}`).toBe(true);
  }
});

test("a block inside another one, and one that is left out, are not typed", () => {
  const inside = "````text\n```sh\nrm -rf /\n```\n````\n";
  const left = "_Not run here by a test: `a.test.ts`._\n\n```sh\nfalse\n```\n";
  const typed = "```sh\necho 1\n```\n\n```text\n1\n```\n";
  expect(stepsOf(inside + left + typed).map(({ kind }) => kind)).toEqual([
    "leave",
    "type",
    "expect",
  ]);
});
