// A person has the last word: what an agent asked is answered before its work lands, and a run that
// was stopped or is held does not land.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, PATIENT_LIMITS, shellAgent } from "../support/pawl.ts";

/** Commits, says that it is ready, and asks for help; what it is told afterwards is its second commit. */
const asks = (question: string): string => `
echo work > work.txt && git add -A && git commit -qm Work
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
${question}
while :; do
  for message in "$PAWL_INBOX"/new/*.md; do
    [ -e "$message" ] || continue
    if [ ! -e answer.txt ]; then
      cp "$message" answer.txt && git add -A && git commit -qm Answer
      printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
    fi
    mv "$message" "$PAWL_INBOX/cur/"
  done
  sleep 0.2
done
`;

const QUESTIONS = [
  [
    "with help",
    `echo '{"v":1,"kind":"help","at":0,"text":"May I drop the table?"}' > "$PAWL_SPOOL/tmp/q.json"
mv "$PAWL_SPOOL/tmp/q.json" "$PAWL_SPOOL/new/q.json"`,
  ],
  [
    "with a phase",
    `printf 'PHASE:escalate\\nReason: May I drop the table?\\n' > "$PAWL_PHASE_FILE"`,
  ],
] as const;

test.each(QUESTIONS)(
  "a question that an agent asks %s right after awaiting_ci is answered before anything lands",
  async (_, question) => {
    await using factory = await makeFactory({
      // Green on the bare target; of the agent's work it ends once there is an answer.
      config: `${shellAgent()}[ci]\ncommand = "[ ! -e work.txt ] || until [ -e answer.txt ]; do sleep 0.1; done"\n${LIMITS}`,
      files: { "agent.sh": asks(question) },
    });
    await factory.ok("issue", "add", "--title", "Ask");
    await factory.ok("up");
    await factory.until("the question is asked", async () => {
      const { stage, needs_you: needs } = await factory.runOf(1);
      return stage === "escalated" && needs === "May I drop the table?";
    });
    expect(await factory.ok("escalation", "list")).toContain("May I drop the table?");
    expect(factory.subjects()).toEqual([]);
    await factory.ok("escalation", "answer", "1", "No, rename it.");
    await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
    expect(factory.git("show", "main:answer.txt")).toContain("No, rename it.");
  },
);

const READY = `
echo "$PAWL_EPOCH" > work.txt && git add -A && git commit -qm Work
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

async function readyFactory() {
  const factory = await makeFactory({
    config: `${shellAgent()}[ci]\ncommand = "[ ! -e work.txt ] || { touch $HOME/checked; until [ -e $HOME/go ]; do sleep 0.1; done; }"\n${LIMITS}`,
    files: { "agent.sh": READY },
  });
  const file = (name: string): string => join(factory.root, "user", name);
  await factory.ok("issue", "add", "--title", "Be ready");
  await factory.ok("up");
  await factory.until("its check has begun", async () => existsSync(file("checked")));
  return {
    ...factory,
    pass: (): void => writeFileSync(file("go"), ""),
    doing: (text: string): Promise<true> =>
      factory.until(text, async () => (await factory.runOf(1)).doing.includes(text)),
    landed: (): Promise<true> =>
      factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed"),
  };
}

test("a run that is stopped while it is checked does not land until it is retried, and then without a new session", async () => {
  await using factory = await readyFactory();
  await factory.ok("stop", "1");
  factory.pass();
  await factory.doing("ready to land, but out of the merge queue: stopped by");
  expect(factory.subjects()).toEqual([]);
  expect(await factory.ok("why", "1")).toContain("`pawl retry 1`");
  await factory.ok("retry", "1");
  await factory.landed();
  expect((await factory.runOf(1)).epoch).toBe(1);
});

/** It says its word only when it is told to end. */
const atLast = (word: string): string => `
echo work > work.txt && git add -A && git commit -qm Work
trap 'printf "${word}" > "$PAWL_PHASE_FILE"; exit 0' TERM
touch "$HOME/ready"
while :; do sleep 0.1; done
`;

async function stoppedAtWork(word: string) {
  const factory = await makeFactory({
    // It ends by itself, as soon as it has said it.
    config: `${shellAgent()}[ci]\ncommand = "true"\n${PATIENT_LIMITS}`,
    files: { "agent.sh": atLast(word) },
  });
  await factory.ok("issue", "add", "--title", "Be ended");
  await factory.ok("up");
  await factory.until("it works", async () => existsSync(join(factory.root, "user", "ready")));
  await factory.ok("stop", "1");
  return factory;
}

test("a phase that an agent writes while it is ended counts: its work lands without another session", async () => {
  await using factory = await stoppedAtWork("PHASE:awaiting_ci\\n");
  await factory.until("it is ready", async () =>
    (await factory.runOf(1)).doing.includes(
      "ready to land, but out of the merge queue: stopped by",
    ),
  );
  await factory.ok("retry", "1");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect((await factory.runOf(1)).epoch).toBe(1);
});

test("a question that an agent asks while it is ended is asked of a person", async () => {
  await using factory = await stoppedAtWork("PHASE:escalate\\nReason: Which port?\\n");
  const asked = await factory.until("a question is asked", async () => {
    const { stage, needs_you: question } = await factory.runOf(1);
    return stage === "escalated" && question;
  });
  expect(asked).toBe("Which port?");
  expect(await factory.ok("status")).toMatch(
    /Which port\? \(stopped by .+; an answer resumes it\)/,
  );
});

test("a run that is stopped or held while it is in the merge queue leaves it, and comes back", async () => {
  await using factory = await readyFactory();
  await factory.ok("merge-queue", "pause");
  factory.pass();
  await factory.doing("in the merge queue");
  await factory.ok("stop", "1");
  await factory.ok("merge-queue", "resume");
  await factory.doing("stopped by");
  await factory.ok("hold", "1");
  await factory.ok("retry", "1");
  await factory.doing("ready to land, but out of the merge queue (held by");
  expect(factory.subjects()).toEqual([]);
  expect(JSON.parse(await factory.ok("merge-queue", "status", "--json"))).toMatchObject({
    entries: [],
  });
  await factory.ok("release", "1");
  await factory.landed();
});
