import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pawl } from "../../test/support/pawl-cli.ts";
import { OperationError } from "../lib/operation-error.ts";
import { COMMANDS, GROUPS } from "./registry.ts";
import { VERSION } from "./version.ts";

test("the version is the package's", () => {
  const manifest = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  expect(VERSION).toBe((JSON.parse(manifest) as { version: string }).version);
});

test("--version prints the version alone", async () => {
  expect(await pawl(["--version"])).toMatchObject({ code: 0, stdout: "1.2.3\n", stderr: "" });
});

test("an unknown command is refused with the one that was meant", async () => {
  expect(await pawl(["stauts"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `pawl: unknown command 'stauts'
(Did you mean one of stats, status?)
hint: \`pawl --help\` lists the commands
`,
  });
});

test("an unknown verb is refused with the one that was meant", async () => {
  const { code, stderr } = await pawl(["issue", "lsit"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean list?");
});

test("an unknown verb where a verb may be left out is no argument of that verb", async () => {
  const { code, stderr } = await pawl(["page", "opne"]);
  expect(code).toBe(2);
  expect(stderr).toContain("pawl: unknown command 'opne'\n(Did you mean open?)");
  const named = await pawl(["page", "open", "now"]);
  expect(named.stderr).toContain("too many arguments for 'open'");
});

test("an argument of the wrong form is named with what it must be", async () => {
  const { code, stderr } = await pawl(["merge-queue", "priority", "7", "lots"]);
  expect(code).toBe(2);
  expect(stderr).toContain("pawl: 'lots' is not valid for <n>: it must be a whole number.\n");
});

test("an unknown option is refused with the one that was meant", async () => {
  const { code, stderr } = await pawl(["issue", "list", "--jsno"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean --json?");
});

test.each([
  ["logs 9 --session 1", undefined],
  ["issue list --ilmit 3", "--limit"],
  ["issue list --jimit 3", "--limit"],
  ["issue list --imit 3", "--limit"],
  ["issue list --llimit 3", "--limit"],
])("of `pawl %s` the option %s was meant", async (words, meant) => {
  const { code, stderr } = await pawl(words.split(" "));
  expect(code).toBe(2);
  expect(/\(Did you mean (.*)\?\)/.exec(stderr)?.[1]).toBe(meant);
});

test("a mistake names the word that was meant, what is missing, and the help that explains it", async () => {
  expect((await pawl(["issue", "add", "--titel", "x"])).stderr).toBe(`pawl: unknown option '--titel'
(Did you mean --title?)
hint: \`pawl issue add --help\` says what it takes
`);
  expect((await pawl(["issue", "add"])).stderr).toContain("required option '--title <title>'");
  expect(await pawl(["stop"])).toMatchObject({
    code: 2,
    stderr: `pawl: missing required argument 'ref': an issue, a PR, a branch, a run or an identity
hint: \`pawl stop --help\` says what it takes
`,
  });
  expect((await pawl(["merge-queue", "add"])).stderr).toContain(
    "missing required argument 'branch': one branch or more; they are queued in the order you name them",
  );
});

test("a noun without a verb shows its help as wrong usage", async () => {
  const { code, stdout, stderr } = await pawl(["issue"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("Usage: pawl issue");
});

test("no words at all show the help", async () => {
  const { code, stdout } = await pawl([]);
  expect(code).toBe(0);
  expect(stdout).toContain("pawl demo");
  expect(stdout).toContain("Exit codes: 0 ok");
});

test("`help` before a command means --help after it", async () => {
  const asked = await pawl(["help", "issue", "add"]);
  expect(asked).toEqual(await pawl(["issue", "add", "--help"]));
  expect(asked.stdout).toContain("--depends-on <number>");
});

test("help about help is the help itself", async () => {
  const help = await pawl(["help"]);
  expect(help.code).toBe(0);
  expect(await pawl(["help", "help"])).toEqual(help);
  expect(await pawl(["help", "--help"])).toEqual(help);
});

test("help for a command that does not exist is refused as the command is", async () => {
  const refused = await pawl(["stauts"]);
  expect(refused.code).toBe(2);
  expect(await pawl(["help", "stauts"])).toEqual(refused);
  expect(await pawl(["stauts", "--help"])).toEqual(refused);
  expect(await pawl(["stauts", "-h"])).toEqual(refused);
});

const listed = (help: string): string[] =>
  [...help.matchAll(/^ {2}([a-z][a-z-]+) {2,}\S/gm)].map(([, name]) => name ?? "");

test("help shows about twenty commands in groups, and help --all every one that people type", async () => {
  const { stdout: first } = await pawl(["help"]);
  expect(listed(first).length).toBeGreaterThan(17);
  expect(listed(first).length).toBeLessThan(24);
  expect(first).toContain("`pawl help --all` lists the rest");
  const { code, stdout: all } = await pawl(["help", "--all"]);
  expect(code).toBe(0);
  const headings = [...all.matchAll(/^([A-Z][a-z]+):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    "Options",
    ...GROUPS.map((name) => name[0]?.toUpperCase() + name.slice(1)),
  ]);
  const people = COMMANDS.filter(({ shown }) => shown !== "never").map(({ name }) => name);
  expect(listed(all).toSorted()).toEqual(people.toSorted());
  expect(all).toContain("`pawl monitor-session` (docs/monitoring.md)");
  expect(all.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("what only agents type is in no list of commands, and still works", async () => {
  expect((await pawl(["hook", "--help"])).stdout).not.toMatch(/^ {2}set /m);
  expect((await pawl(["hook", "set", "--help"])).code).toBe(0);
  expect((await pawl(["phase", "--help"])).code).toBe(0);
});

test("a misspelt command that help does not show at first is found too", async () => {
  expect((await pawl(["vualt"])).stderr).toContain("Did you mean vault?");
});

test("--json of a command that changes something prints what was changed, and nothing else", async () => {
  const issue = { number: 7, title: "Fix it", labels: ["backlog"] };
  const answers = { "POST /v1/issues": issue };
  const added = await pawl(["issue", "add", "--title", "Fix it", "--json"], { answers });
  expect(added.code).toBe(0);
  expect(JSON.parse(added.stdout)).toEqual(issue);
});

test("every command explains itself", async () => {
  for (const { name } of COMMANDS) {
    expect([name, await pawl([name, "--help"])]).toMatchObject([name, { code: 0, stderr: "" }]);
  }
});

test("the project may be named before the command as well as after it", async () => {
  const answers = { "GET /v1/issues?state=open&limit=101": [] };
  expect(await pawl(["--project", "toy", "issue", "list"], { answers })).toMatchObject({ code: 0 });
  expect(await pawl(["issue", "list", "--project", "toy"], { answers })).toMatchObject({ code: 0 });
});

test.each([
  ["usage", 2],
  ["unreachable", 3],
  ["auth", 4],
  ["not-found", 1],
])("the failure %s ends with exit code %i, its sentence and its hint", async (code, exit) => {
  const error = new OperationError("cannot do it: no luck", { code, hint: "try again" });
  expect(await pawl(["why", "7"], { answers: { "GET /v1/why/7": error } })).toMatchObject({
    code: exit,
    stdout: "",
    stderr: "pawl: cannot do it: no luck\nhint: try again\n",
  });
});

test("--as is refused unless root asks for it, and inside a session", async () => {
  const asked = await pawl(["up", "--as", "pawl"], {
    env: { PAWL_SPOOL: "/spool", PAWL_RUN: "1.1" },
  });
  expect(asked).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("an agent cannot become another account"),
    started: [],
  });
  const unknown = await pawl(["status", "--as=no-such-account"]);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^pawl: cannot run `pawl status` as no-such-account: (?:there is no such|only root)/,
    ),
    started: [],
  });
  expect(await pawl(["up", "--as"])).toMatchObject({ code: 2, started: [] });
});
