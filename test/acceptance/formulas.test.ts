// Formulas through the command a user types: by name, by file and with a layer of the project's
// own; without a daemon, with one, and with one that is killed in the middle.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FormulaRow, FormulaRunView, FormulaView } from "../../src/api/formulas.ts";
import { makeFactory, SCRIPT_AGENT, type Factory } from "../support/pawl.ts";

const CONFIG = `${SCRIPT_AGENT}[ci]\nnone = true\n`;

/** Each step writes down that it ran, where nothing of Pawl could clear it away. */
const note = (name: string): string => `echo ${name} >> "$HOME/log"`;

const CHAIN = `name = "chain"
description = "One after the other."
[vars.who]
required = true
[[steps]]
id = "first"
run = '${note("first")}; printf "hello %s" "$PAWL_VAR_WHO"'
[[steps]]
id = "beside"
run = '${note("beside")}'
[[steps]]
id = "slow"
needs = ["first", "beside"]
run = '${note("slow")}; while ! [ -e "$HOME/go" ]; do sleep 0.05; done; cat "$PAWL_INPUTS/first"; ${note("slow-ended")}'
timeout = "10 min"
[[steps]]
id = "flaky"
needs = ["slow"]
retries = 2
run = '${note("flaky")}; mkdir "$HOME/tried"; [ -e "$HOME/tried/twice" ] || { touch "$HOME/tried/twice"; exit 3; }'
[[steps]]
id = "never"
needs = ["flaky"]
when = "vars.who == 'nobody'"
run = '${note("never")}'
[[steps]]
id = "last"
needs = ["never", "flaky"]
builtin = "say"
with = { text = "bye {{who}}" }
`;

const log = (factory: Factory): string[] => {
  const path = join(factory.root, "user/log");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};

const runView = async (factory: Factory, id: string): Promise<FormulaRunView> =>
  JSON.parse(await factory.ok("formula", "status", id, "--json")) as FormulaRunView;

test("formulas are found, shown, checked and run without a daemon", async () => {
  await using factory = await makeFactory({
    config: CONFIG,
    files: {
      ".pawl/formulas/chain.toml": CHAIN,
      ".pawl/formulas/tour.toml": `[[step-overrides]]\nstep_id = "look-around"\nmode = "skip"\n`,
      ".pawl/formulas/broken.toml": `name = "broken"\n[[steps]]\nid = "a"\nneeds = ["b"]\n`,
    },
  });
  await factory.ok("init");
  await factory.ok("run", "--until-idle");
  const rows = JSON.parse(await factory.ok("formula", "list", "--json")) as FormulaRow[];
  expect(rows.filter(({ name }) => ["broken", "chain", "tour"].includes(name))).toMatchObject([
    { name: "broken", from: "project", problem: expect.stringContaining("broken.toml:4: step") },
    { name: "chain", from: "project", steps: 6, problem: null },
    { name: "tour", from: "overlay", steps: 3, problem: null },
  ]);
  const checked = await factory.pawl("formula", "validate");
  expect([checked.code, checked.stdout]).toEqual([
    1,
    '.pawl/formulas/broken.toml:4: step "a" needs "b", which is not a step. Did you mean "a"?\n',
  ]);
  const shown = JSON.parse(await factory.ok("formula", "show", "chain", "--json")) as FormulaView;
  expect(shown.steps.map(({ id }) => id)).toEqual(shown.waves.flat());
  expect(await factory.ok("formula", "show", "chain", "--dot")).toContain('"slow" -> "flaky"');
  const missing = await factory.pawl("formula", "run", "chain");
  expect([missing.code, missing.stderr]).toEqual([
    2,
    'pawl: variable "who" is required: give it with --var who=…\n',
  ]);
  const dry = await factory.ok("formula", "run", "chain", "--var", "who=Ada; id", "--dry-run");
  expect(dry).toContain("first");
  expect(log(factory)).toEqual([]);

  writeFileSync(join(factory.root, "user/go"), "");
  const ran = await factory.pawl("formula", "run", "chain", "--var", "who=$(touch /tmp/x) Ada");
  expect([ran.code, ran.stderr]).toMatchObject([0, expect.stringContaining("chain.1 is done")]);
  const view = await runView(factory, "chain.1");
  expect(
    view.steps.map(({ id, status, attempt, output }) => [id, status, attempt, output]),
  ).toEqual([
    ["first", "done", 1, "hello $(touch /tmp/x) Ada"],
    ["beside", "done", 1, ""],
    ["slow", "done", 1, "hello $(touch /tmp/x) Ada"],
    ["flaky", "done", 2, ""],
    ["never", "skipped", 0, null],
    ["last", "done", 1, "bye $(touch /tmp/x) Ada"],
  ]);
  const asIssue = ["formula", "run", "tour", "--as-issue", "--var", "who=Ada"];
  const issue = await factory.ok(...asIssue);
  expect(await factory.ok(...asIssue)).toBe(issue);
  expect(JSON.parse(await factory.ok("issue", "show", issue, "--json"))).toMatchObject({
    labels: ["action"],
    body: expect.stringContaining('---\nformula: "tour"\nvars: {"who":"Ada"}\n---\n'),
  });
  const layered = await factory.ok("formula", "run", "tour");
  expect(layered.split("\n")).toEqual([
    "✓ greet",
    "– count: left out, because its condition is false: vars.loud",
    "✓ sum-up",
  ]);
  expect(existsSync(join(factory.home, "projects", factory.project, "formulas/chain.1/1"))).toBe(
    false,
  );
  await factory.nothingLeft();
});

test("a formula whose daemon is killed -9 in the middle resumes at the step, and nothing runs twice", async () => {
  await using factory = await makeFactory({
    config: CONFIG,
    files: { ".pawl/formulas/chain.toml": CHAIN },
  });
  const first = factory.background("daemon");
  await factory.until("it serves", async () => (await factory.status()).daemon !== null);
  const id = await factory.ok("formula", "run", "chain", "--var", "who=Ada", "--detach");
  await factory.until("the slow step runs", async () => log(factory).includes("slow"));
  first.kill("SIGKILL");
  await first.ended;
  // It lives on without its daemon, and ends while no daemon runs.
  writeFileSync(join(factory.root, "user/go"), "");
  await factory.until("it has ended", async () => log(factory).includes("slow-ended"));
  expect((await runView(factory, id)).steps.find((step) => step.id === "slow")?.status).toBe(
    "running",
  );
  const second = factory.background("daemon");
  await factory.until("the formula is done", async () => {
    return (await runView(factory, id)).state === "done";
  });
  expect(log(factory).toSorted()).toEqual([
    "beside",
    "first",
    "flaky",
    "flaky",
    "slow",
    "slow-ended",
  ]);
  second.kill("SIGTERM");
  await second.ended;
});

test("a command that is stopped, or takes too long, is ended with everything it started", async () => {
  const slow = (timeout: string): string =>
    `name = "slow"\n[[steps]]\nid = "a"\ntimeout = "${timeout}"\nrun = '(sleep 1000 & sleep 1001) & ${note("a")}; sleep 1002'\n`;
  await using factory = await makeFactory({
    config: CONFIG,
    files: { "long.toml": slow("10 min"), "short.toml": slow("1 s") },
  });
  const daemon = factory.background("daemon");
  await factory.until("it serves", async () => (await factory.status()).daemon !== null);
  const id = await factory.ok("formula", "run", "long.toml", "--detach");
  await factory.until("it runs", async () => log(factory).length === 1);
  await factory.ok("formula", "stop", id);
  expect((await runView(factory, id)).state).toBe("stopped");
  const late = await factory.pawl("formula", "run", "short.toml");
  expect([late.code, late.stdout]).toEqual([1, "✗ a: it did not finish within 1 s\n"]);
  await factory.until("nothing of them is left", async () => {
    return !factory.leftovers().some((line) => line.includes("sleep 100"));
  });
  daemon.kill("SIGTERM");
  await daemon.ended;
});
