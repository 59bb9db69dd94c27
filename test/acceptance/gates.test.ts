// Gates and the steps of agents, through the command a user types.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FormulaRunView } from "../../src/api/formulas.ts";
import type { GateView } from "../../src/api/gates.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE, type Factory } from "../support/pawl.ts";

const note = (name: string): string => `echo ${name} >> "$HOME/log"`;

const log = (factory: Factory): string[] => {
  const path = join(factory.root, "user/log");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};

const runView = async (factory: Factory, id: string): Promise<FormulaRunView> =>
  JSON.parse(await factory.ok("formula", "status", id, "--json")) as FormulaRunView;

const gates = async (factory: Factory, ...more: string[]): Promise<GateView[]> =>
  JSON.parse(await factory.ok("gate", "list", "--json", ...more)) as GateView[];

const SHIP = `name = "ship"
[[steps]]
id = "wait"
gate = { type = "timer", timeout = "50 ms" }
[[steps]]
id = "ready"
gate = { type = "command", command = 'test -e "$HOME/ready"', every = "1 s" }
[[steps]]
id = "ask"
title = "Ship it?"
needs = ["wait"]
gate = "human"
[[steps]]
id = "letter"
needs = ["wait"]
gate = { type = "mail" }
[[steps]]
id = "go"
needs = ["ask", "letter", "ready"]
run = '${note("shipped")}'
`;

test("a formula waits at its gates, and goes on when they are closed, also after kill -9", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}`,
    files: { "ship.toml": SHIP },
  });
  writeFileSync(join(factory.root, "user/ready"), "");
  // Without a daemon: time and commands do their part, a person is needed for the rest.
  const waiting = await factory.pawl("formula", "run", "ship.toml");
  expect([waiting.code, waiting.stderr]).toMatchObject([
    8,
    expect.stringContaining("waits at gate ship.1.ask, gate ship.1.letter"),
  ]);
  expect((await gates(factory)).map(({ id, state }) => [id, state])).toEqual([
    ["ship.1.ask", "open"],
    ["ship.1.letter", "open"],
  ]);
  expect((await gates(factory, "--all")).map(({ id, state }) => [id, state])).toEqual([
    ["ship.1.ask", "open"],
    ["ship.1.letter", "open"],
    ["ship.1.ready", "closed"],
    ["ship.1.wait", "closed"],
  ]);
  const { waits } = await factory.status();
  expect(waits.map(({ about, why }) => [about, why])).toContainEqual([
    "gate ship.1.ask",
    "Ship it?",
  ]);
  // A letter closes what waits for one, and nothing that waits for a person.
  await factory.ok("mail", "send", "gate:ship.1.ask", "--subject", "go ahead");
  expect((await gates(factory)).map(({ id }) => id)).toContain("ship.1.ask");
  expect(await factory.ok("mail", "inbox")).toContain("gate ship.1.ask is not closed by letters");
  await factory.ok("mail", "send", "gate:ship.1.letter", "--subject", "go ahead", "--body", "yes");
  const daemon = factory.background("daemon");
  await factory.until("it serves", async () => (await factory.status()).daemon !== null);
  daemon.kill("SIGKILL");
  await daemon.ended;
  // Closed while no daemon runs: the waiters are woken in the same transaction.
  await factory.ok("gate", "close", "ship.1.ask", "--reason", "looks good");
  const states = (await runView(factory, "ship.1")).steps.map(({ id, status }) => [id, status]);
  expect(states).toEqual([
    ["wait", "done"],
    ["ready", "done"],
    ["ask", "done"],
    ["letter", "done"],
    ["go", "running"],
  ]);
  await factory.ok("run", "--until-idle");
  expect(log(factory)).toEqual(["shipped"]);
  expect((await runView(factory, "ship.1")).state).toBe("done");
  const again = await factory.pawl("gate", "close", "ship.1.ask", "--reason", "twice");
  expect([again.code, again.stderr]).toEqual([
    1,
    "pawl: gate ship.1.ask is closed already: looks good\n",
  ]);
  await factory.nothingLeft();
});

test("a gate for an issue, a PR and its checks closes when its condition holds, and tells its waiters", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
  });
  const issue = await factory.addIssue({ title: "One", body: "```sh\necho 1 > one.txt\n```\n" });
  const create = (type: string, id: string): Promise<string> =>
    factory.ok("gate", "create", "--type", type, "--await-id", id, "--waiter", "dev-9");
  const ids = [
    await create("issue", `#${issue}`),
    await create("gh:pr", "2"),
    await create("gh:run", String(issue)),
    await create("issue", "99"),
  ];
  expect(ids).toEqual(["g1", "g2", "g3", "g4"]);
  const open = await factory.pawl("gate", "check");
  expect([open.code, open.stdout.split("\n").length]).toEqual([8, 5]);
  await factory.ok("run", "--until-idle");
  const checked = await factory.pawl("gate", "check", "--json");
  expect(checked.code).toBe(8);
  const all = await gates(factory, "--all");
  expect(all.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    ["g1", "closed", "issue #1 is closed"],
    ["g2", "closed", "PR #2 is merged"],
    ["g3", "closed", expect.stringMatching(/^the checks of .* passed$/)],
    ["g4", "open", null],
  ]);
  expect(all[3]?.seen).toBe("there is no issue 99");
  const inbox = await factory.ok("mail", "inbox", "--for", "dev-9", "--json");
  expect((JSON.parse(inbox) as { subject: string }[]).map(({ subject }) => subject)).toEqual([
    "gate g1 is closed: issue",
    "gate g2 is closed: gh:pr",
    "gate g3 is closed: gh:run",
  ]);
  const bad = await factory.pawl("gate", "create", "--type", "timer");
  expect([bad.code, bad.stderr]).toEqual([
    2,
    'pawl: timeout is missing. Write timeout = "10 min".\n',
  ]);
});

const AGENTS = `name = "release"
[vars.version]
required = true
[[steps]]
id = "notes"
title = "Write notes for {{version}}"
result = "json"
description = """
\`\`\`sh
echo '{"notes": "{{version}}"}' > "$PAWL_RESULT_FILE"
\`\`\`
"""
[[steps]]
id = "bump"
needs = ["notes"]
output = "branch"
description = """
\`\`\`sh
echo {{version}} > version.txt
\`\`\`
"""
[[steps]]
id = "tell"
needs = ["bump"]
run = 'cat "$PAWL_INPUTS/notes" >> "$HOME/log"'
`;

test("agents do the steps that need judgement: a result is taken, a branch lands, its node says how far it is", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
    files: { "release.toml": AGENTS },
  });
  const begun = await factory.pawl("formula", "run", "release.toml", "--var", "version=1.2");
  expect([begun.code, begun.stderr]).toMatchObject([8, expect.stringContaining("`pawl up`")]);
  await factory.ok("run", "--until-idle");
  const view = await runView(factory, "release.1");
  expect(view.state, JSON.stringify(view)).toBe("done");
  expect(view.steps).toMatchObject([
    {
      id: "notes",
      status: "done",
      output: '{"notes": "1.2"}\n',
      session: `action-release-notes-1@${factory.project}`,
    },
    {
      id: "bump",
      status: "done",
      session: `action-release-bump-1@${factory.project}`,
      node: { impl_complete: true, validated: true, merged: true },
    },
    { id: "tell", status: "done" },
  ]);
  expect(factory.git("show", "main:version.txt")).toBe("1.2");
  expect(log(factory)).toEqual(['{"notes": "1.2"}']);
  expect(await factory.ok("formula", "status", "release", "--dot")).toContain('status="merged"');
});
