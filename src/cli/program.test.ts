import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pawl } from "../../test/support/pawl-cli.ts";
import { OperationError } from "../lib/operation-error.ts";
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
(Did you mean status?)
hint: --help says what it takes
`,
  });
});

test("an unknown verb is refused with the one that was meant", async () => {
  const { code, stderr } = await pawl(["issue", "lsit"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean list?");
});

test("an unknown option is refused with the one that was meant", async () => {
  const { code, stderr } = await pawl(["issue", "list", "--jsno"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean --json?");
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

test("every command explains itself", async () => {
  const { stdout } = await pawl(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    expect([name, await pawl([name, "--help"])]).toMatchObject([name, { code: 0, stderr: "" }]);
  }
});

test("the project may be named before the command as well as after it", async () => {
  const answers = { "GET /v1/issues?state=open": [] };
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
