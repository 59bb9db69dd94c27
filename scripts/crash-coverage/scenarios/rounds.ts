// What a factory does by itself: rounds of the deacon that find all four kinds of orphans, letters
// and plugins, gates that are closed, a schedule that starts, an action that fires. Everything once.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { LetterView } from "../../../src/api/mail.ts";
import type { VaultView } from "../../../src/api/vault.ts";
import { claimFor, giveEntryTo, loseRun, straySession } from "../../../test/support/orphans.ts";
import { makeFactory, SCRIPT_AGENT, type Factory } from "../../../test/support/pawl.ts";
import { expectEqual, noProcessLeft, type Scenario } from "../scenario.ts";

/** An agent that is not seen for twice this long is an orphan. */
const STALE_S = 1;
const CONFIG = `${SCRIPT_AGENT}[ci]\nnone = true
[merge]\nstrategy = "squash"
[limits]\nfarewell = "1 s"\ngrace = "2 s"\nstale = "${STALE_S} s"
[patrol]\ndeacon = "1 h"\nwitness = "1 h"
[schedule.sweep]\ncron = "0 0 1 1 *"\nformula = "sweep"\nmemory_mb = 1
`;
const note = (word: string): string => `echo ${word} >> "$HOME/log"`;
const formula = (name: string, steps: string): string => `formula = "${name}"\n${steps}`;
const step = (id: string, more: string): string => `[[steps]]\nid = "${id}"\n${more}\n`;
const plugin = (gate: string, word: string): string =>
  `---\ngate: ${gate}\nrun: [sh, -c, '${note(word)}']\n---\n`;

const FILES = {
  ".pawl/formulas/sweep.toml": formula("sweep", step("sweep", `run = '${note("swept")}'`)),
  ".pawl/formulas/ship.toml": formula(
    "ship",
    step("ask", 'title = "Ship it?"\ngate = "human"') +
      step("go", `needs = ["ask"]\nrun = '${note("shipped")}'`),
  ),
  "plugins/tick/plugin.md": plugin("{type: event, on: 'TRIGGER: deployed'}", "tick"),
  "plugins/mine/plugin.md": plugin("{type: manual}", "mine"),
};

const block = (...lines: string[]): string => `\`\`\`sh\n${lines.join("\n")}\n\`\`\`\n`;

const BY = "ada";

/** As the commands do: letters, a formula that waits at a gate, another gate, a dangerous action. */
async function ask({ client }: Factory): Promise<void> {
  for (const subject of ["WITNESS_PING", "HELP: dev-9 asks", "TRIGGER: deployed", "LIFECYCLE"]) {
    await client.post("/v1/mail", { to: "deacon", subject, by: BY, key: subject });
  }
  await client.post("/v1/formulas/runs", { name: "ship", vars: {}, key: "ship", by: BY });
  const gate = { type: "human", question: "Now?" };
  const waiters = ["dev-9"];
  await client.post("/v1/gates", { gate, title: "Now?", waiters, key: "g1", by: BY });
  const argv = ["sh", "-c", 'echo fired >> "$HOME/fired"'];
  const action = { kind: "command", argv };
  await client.post("/v1/vault", { id: "one", what: "One", action, by: BY });
}

async function isSilent(factory: Factory, issue: number): Promise<boolean> {
  const { last_seen } = await factory.runOf(issue);
  return last_seen !== null && Date.now() - Date.parse(last_seen) > 2000 * STALE_S;
}

async function make(): Promise<Factory> {
  const factory = await makeFactory({ config: CONFIG, files: FILES });
  await factory.addIssue({ title: "One", body: block("echo x >> one.txt") });
  await factory.ok("run", "--until-idle");
  // Landed; but the forge says that it is in progress, and the journal has no run of it.
  await factory.client.patch("/v1/issues/1", { state: "open", addLabels: ["in-progress"] });
  claimFor(factory, { issue: 1, run: "1.1" });
  // A living agent whose daemon was killed.
  const waits = 'until [ -e "$HOME/go" ]; do sleep 0.05; done';
  const two = await factory.addIssue({ title: "Two", body: block(waits, "echo two > two.txt") });
  const daemon = factory.background("run");
  await factory.until("it works", async () => (await factory.runOf(two)).pid !== null);
  daemon.kill("SIGKILL");
  await daemon.ended;
  // An entry of a run that is over, and a terminal of one that never was.
  factory.git("branch", "own");
  await factory.client.post("/v1/queue/pause", { by: BY, why: "later" });
  await factory.ok("merge-queue", "add", "own");
  giveEntryTo(factory, "1.1");
  loseRun(factory, { run: "1.1", identity: "dev-1" });
  straySession(factory, "9.1");
  await ask(factory);
  await factory.until("its agent is silent for long enough", () => isSilent(factory, two));
  writeFileSync(join(factory.root, "user", "go"), "");
  return factory;
}

export const rounds: Scenario = {
  name: "rounds of the deacon, gates, plugins, schedules and the vault",
  make,
  commands: [
    ["patrol", "run", "deacon"],
    ["patrol", "run", "deacon"],
    ["gate", "close", "g1", "--reason", "now"],
    ["escalation", "answer", "gate:ship.1.ask", "close: go"],
    ["schedule", "run", "sweep"],
    ["plugin", "run", "mine"],
    ["vault", "approve", "one"],
    ["merge-queue", "resume"],
    ["run", "--until-idle"],
  ],
  // Others are killed at these too; what it passes while work lands is their part alone.
  points:
    /^(notifier|publisher|commands|terminal\.end|git\.(fetchTarget|checkpoint\b)|forge\.(createIssue|comment|editIssue))/,
  commits: 3,
  check,
};

const lines = ({ root }: Factory, name: string): string[] => {
  const path = join(root, "user", name);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").toSorted() : [];
};

/** What the journal says of orphans, oldest first. */
function settled({ home, project }: Factory): string[] {
  using journal = new DatabaseSync(join(home, "pawl.db"), { readOnly: true });
  const read = (aggregate: string): { kind: string; key: string; entry: number }[] =>
    journal
      .prepare("SELECT event FROM events WHERE aggregate = ? ORDER BY seq")
      .all(aggregate)
      .map(({ event }) => JSON.parse(String(event)));
  const kept = read(`patrol:${project}/deacon`).filter(({ kind }) => kind === "orphan-settled");
  const removed = read(`queue:${project}`).filter(({ kind }) => kind === "entry-removed");
  return [...kept.map(({ key }) => key), ...removed.map(({ entry }) => `entry:${entry}`)];
}

async function check(factory: Factory): Promise<string[]> {
  const letters = async (to: string): Promise<string[]> =>
    (JSON.parse(await factory.ok("mail", "inbox", "--for", to, "--json")) as LetterView[]).map(
      ({ subject }) => subject,
    );
  const issues =
    await factory.client.get<{ title: string; labels: string[]; state: string }[]>(
      "/v1/issues?state=all",
    );
  const incidents = issues.filter(({ labels }) => labels.includes("incident"));
  const first = JSON.parse(await factory.ok("issue", "show", "1", "--json")) as {
    state: string;
    comments: { body: string }[];
  };
  const { entries } = await factory.client.get<{ entries: unknown[] }>("/v1/queue");
  const requeued = first.comments.filter(({ body }) => body.includes("No run works"));
  const asked = (await letters("operator")).filter((one) => one.startsWith("HELP"));
  return [
    ...expectEqual("each of them ran once", lines(factory, "log"), [
      "mine",
      "shipped",
      "swept",
      "tick",
    ]),
    ...firing(factory, JSON.parse(await factory.ok("vault", "show", "one", "--json"))),
    ...expectEqual("each kind of orphan is settled once", settled(factory).toSorted(), [
      "entry:2",
      "identity:dev-3:1",
      "issue:1",
      "session:9.1:1",
    ]),
    ...expectEqual("help is forwarded once", asked, ["HELP: dev-9 asks"]),
    ...expectEqual("who waited is told once", await letters("dev-9"), ["gate g1 is closed: Now?"]),
    ...expectEqual("no letter is left to the deacon", await letters("deacon"), []),
    ...expectEqual("lost work is an incident, once", incidents.length, 1),
    ...expectEqual("it is said once on the issue", requeued.length, 1),
    ...expectEqual("it was done again", first.state, "closed"),
    ...expectEqual("everything landed", factory.subjects().toSorted(), [
      "One (#1)",
      "One (#1)",
      "Two (#3)",
    ]),
    ...expectEqual("the entry is gone", entries, []),
    ...expectEqual("its branch is not", factory.git("branch", "--list", "own").trim(), "own"),
    ...expectEqual("no gate is open", await factory.ok("gate", "list"), ""),
    ...(await noProcessLeft(factory)),
  ];
}

function firing(factory: Factory, { status }: VaultView): string[] {
  const times = lines(factory, "fired").length;
  const isRight = status === "fired" ? times === 1 : status === "unsure" && times <= 1;
  return isRight ? [] : [`the action is ${status}, and was carried out ${times} times`];
}
