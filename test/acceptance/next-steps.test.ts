// What a newcomer needs at the moment of a question: the same deadline everywhere, words that fit the
// terminal, a hint from other projects, and the way out of an agent's terminal.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";
import { openPty, type Pty } from "../support/pty.ts";

const CONFIG = `${shellAgent()}[ci]\nnone = true\n${LIMITS}`;
const SENTENCE =
  "Shall the parser accept both forms of a date, or only the second of them, ".repeat(3);
const AGENT = `printf 'PHASE:escalate\\nReason: ${SENTENCE}\\n' > "$PAWL_PHASE_FILE"
while :; do sleep 1; done
`;
const SMALL = { columns: 80, rows: 24 };

/** All that a command prints on a terminal, once it has ended. */
async function printed(factory: Factory, ...args: string[]): Promise<string[]> {
  using pty = openPty(factory, { columns: 80, rows: 60 }, args);
  await factory.until(`pawl ${args.join(" ")}`, async () => !pty.isRunning());
  return pty.screen();
}

/** A line that is cut by the terminal is exactly as wide as the terminal, and goes on in its word. */
function expectWholeWords(lines: string[], sentence: string): void {
  const words = new Set(sentence.split(/\s+/));
  const shown = lines.flatMap((line) => line.trim().split(/\s+/));
  for (const word of words) expect(shown).toContain(word);
}

const sees = (factory: Factory, pty: Pty, text: string): Promise<unknown> =>
  factory.until(text, async () => pty.screen().some((line) => line.includes(text)));

test("a question has one deadline, fits the terminal, is seen from other projects, and its agent can be visited and left", async () => {
  await using factory = await makeFactory({ config: CONFIG, files: { "agent.sh": AGENT } });
  await factory.addIssue({ title: "Parse dates" });
  const daemon = factory.background("daemon");
  await factory.until("it asks", async () => (await factory.runOf(1)).stage === "escalated");

  const [question] = JSON.parse(await factory.ok("escalation", "list", "--json")) as {
    deadline: string;
  }[];
  const hours = Math.floor((Date.parse(question?.deadline ?? "") - Date.now()) / 3_600_000);
  const why = await factory.ok("why", "1");
  expect(why).toMatch(/^Pawl reminds you in \d/m);
  expect(why).toContain(`without an answer, Pawl gives up this run in ${hours} h `);
  expect(why).not.toContain("looks at this run again");

  expectWholeWords(await printed(factory, "escalation", "show", "1"), SENTENCE);
  const letter = ["--subject", "Dates", "--body", SENTENCE];
  const sent = await factory.ok("mail", "send", "operator", ...letter);
  expectWholeWords(await printed(factory, "mail", "read", sent.trim()), SENTENCE);

  const other = join(factory.root, "other");
  mkdirSync(other);
  factory.gitIn(other, "init", "-q", "-b", "main");
  writeFileSync(join(other, "pawl.toml"), factory.config(CONFIG).replace(factory.project, "other"));
  factory.gitIn(other, "add", "-A");
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  factory.gitIn(other, ...who, "commit", "-qm", "Begin");
  await factory.client.post("/v1/projects", { folder: other });
  const there = await printed(factory, "--project", "other", "status");
  expect(there).toContain(`other projects need you: ${factory.project} (1)`);
  expect(there).toContain("  pawl status --all-projects");
  const piped = await factory.ok("--project", "other", "status");
  expect(piped).toContain(`elsewhere\t${factory.project}\t1`);
  expect(await factory.ok("--project", factory.project, "status")).not.toContain("elsewhere");

  using pty = openPty(factory, SMALL, ["attach", "1"]);
  // The terminal of this test is a pane of tmux, which takes the first Ctrl-b.
  await sees(factory, pty, "Leave with Ctrl-b Ctrl-b d (you are inside tmux)");
  daemon.kill("SIGTERM");
  await daemon.ended;
});

test("an agent that crashes at every start leads to its terminal and to retry, not to an answer", async () => {
  await using factory = await makeFactory({
    config: `${CONFIG}crashes = 1\n`,
    files: { "agent.sh": "echo 'no key for the model'; exit 3\n" },
  });
  await factory.addIssue({ title: "Parse dates" });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(8);
  const said = "its terminal said: no key for the model";
  expect(stderr.replaceAll(/\s+/g, " ")).toContain(
    `crashed 1 times without a new commit; ${said} pawl logs 1 pawl doctor pawl retry 1`,
  );
  expect(await factory.ok("status")).toContain(said);
  expect(await factory.ok("escalation", "list")).toContain(said);
  const asked = await factory.pawl("escalation", "show", "1");
  expect(asked.stderr).toBe("\nresolve it with: pawl retry 1\n");
  expect(await factory.ok("logs", "1")).toContain("no key for the model");
  const why = await factory.ok("why", "1");
  expect(why).toContain(`\n${said}\n`);
  expect(why).toContain("see whether it is installed and signed in: pawl doctor");
  expect(why).toContain("start it again when the cause is fixed: pawl retry 1");
  expect(why).not.toContain("pawl escalation answer");
  await factory.ok("retry", "1");
  const again = await factory.pawl("run", "--until-idle");
  expect(again.code, again.stderr).toBe(8);
  expect((await factory.runOf(1)).epoch).toBeGreaterThan(1);
});
