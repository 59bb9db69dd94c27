// Messages arrive once, are known to be read or visibly are not, and old lives have no power.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunView } from "../../src/api/runs.ts";
import { sessionFactory } from "../support/sessions.ts";

const RED = 'command = "sh test.sh"';

/** Works, then waits for CI, and leaves what it is told where it lies. */
const DEAF = `
echo "$PAWL_EPOCH" >> work.txt
printf 'exit 1\\n' > test.sh && git add -A && git commit -qm Work && phase awaiting_ci
await never
`;

const firstMessage = (run: RunView): RunView["messages"][number] | undefined => run.messages[0];

test("defect 21: put before the agent is not read; a dead letter is shown, and who goes on is unconfirmed", async () => {
  await using factory = await sessionFactory(
    `${DEAF.replace("await never", "await go")}
git commit -q --allow-empty -m again && phase awaiting_ci
await never
`,
    { ci: RED, limits: 'unread = "1 s"' },
  );
  await factory.addIssue({ title: "Hear nothing" });
  await factory.daemon();
  const late = await factory.until("the message is overdue", async () => {
    const message = firstMessage(await factory.runOf(1));
    return message?.overdue === true && message;
  });
  expect(late).toMatchObject({ id: "m1", kind: "ci-failed", status: "delivered", epoch: 1 });
  expect(await factory.ok("why", "1")).toMatch(
    /message m1 \(ci-failed\) was delivered .* and has not been acknowledged/,
  );
  factory.allow("go");
  await factory.until("it went on without a word", async () => {
    return firstMessage(await factory.runOf(1))?.status === "unconfirmed";
  });
});

test("defect 22: a message that cannot be written is written later, exactly once", async () => {
  await using factory = await sessionFactory(
    DEAF.replace("phase awaiting_ci", "await ready && phase awaiting_ci"),
    {
      ci: RED,
    },
  );
  await factory.addIssue({ title: "Be unreachable" });
  let daemon = await factory.daemon();
  await factory.started(1);
  const inbox = join(factory.epochDir(1), "inbox");
  rmSync(join(inbox, "new"), { recursive: true });
  writeFileSync(join(inbox, "new"), "in the way");
  factory.allow("ready");
  const tried = await factory.until("it was tried", async () => {
    const { lines } = await factory.client.get<{ lines: string[] }>("/v1/why/1");
    return lines.find((line) => /deliver message .*failed/.test(line));
  });
  expect(tried).toContain("tries again");
  daemon.kill("SIGKILL");
  await daemon.ended;
  daemon = await factory.daemon();
  rmSync(join(inbox, "new"));
  await factory.until("it is there", async () => {
    return firstMessage(await factory.runOf(1))?.status === "delivered";
  });
  daemon.kill("SIGKILL");
  await daemon.ended;
  await factory.daemon();
  expect(readdirSync(join(inbox, "new"))).toEqual(["m1.md"]);
  expect((await factory.runOf(1)).messages).toHaveLength(1);
});

test("defects 23 and 24: red CI brings its details each time, and the budget is not reset by new commits", async () => {
  await using factory = await sessionFactory(
    `
i=0
printf 'echo "the reason is $RANDOM_WORD"; echo assertion 42 failed; exit 3\\n' > test.sh
while :; do
  i=$((i + 1))
  echo "$i" > "try-$i.txt"
  git add -A && git commit -qm "Try $i" && phase awaiting_ci
  cp "$(message ci-failed)" "$SEEN/red-$i"
done
`,
    { ci: RED },
  );
  await factory.addIssue({ title: "Never green" });
  await factory.daemon();
  await factory.until("it is given up", async () => (await factory.runOf(1)).outcome === "blocked");
  expect((await factory.runOf(1)).messages.filter(({ kind }) => kind === "ci-failed")).toHaveLength(
    3,
  );
  for (const fix of [1, 2, 3]) {
    const text = factory.left(`red-${fix}`);
    expect(text).toContain(`fix ${fix} of 3`);
    expect(text).toContain("Exit code: 3");
    expect(text).toContain("assertion 42 failed");
  }
  expect(factory.seen("red-4")).toBe(false);
  const issue = await factory.client.get<{ labels: string[] }>("/v1/issues/1");
  expect(issue.labels.toSorted()).toEqual(["backlog", "blocked"]);
});

test("nothing that an earlier life writes has an effect: phase, spool, hook, acknowledgement, exit record", async () => {
  await using factory = await sessionFactory(`await never`);
  await factory.addIssue({ title: "Die once" });
  const daemon = await factory.daemon();
  const first = await factory.started(1);
  process.kill(first.pid ?? 0, "SIGKILL");
  const second = await factory.started(2);
  const old = factory.epochDir(1);
  const speak = (): void => {
    writeFileSync(join(old, "phase"), "PHASE:failed\nReason: from the grave\n");
    mkdirSync(join(old, "inbox/cur"), { recursive: true });
    writeFileSync(join(old, "inbox/cur/m1.md"), "");
    for (const event of [
      { kind: "help", text: "from the grave" },
      { kind: "hook", work_phase: "completion", summary: "from the grave" },
      { kind: "context", percent: 99 },
    ]) {
      const text = JSON.stringify({ v: 1, at: 1, ...event });
      writeFileSync(join(old, "spool/new", `${event.kind}.json`), text);
    }
    const exit = { code: 0, signal: null, startedAt: 1, endedAt: 2 };
    writeFileSync(join(old, "exit.json"), JSON.stringify(exit));
  };
  speak();
  // A new daemon reads everything there is to read.
  daemon.kill("SIGKILL");
  await daemon.ended;
  await factory.daemon();
  await factory.until("the living one was looked at", async () => {
    return (await factory.agent()).last_seen > second.last_seen;
  });
  expect(await factory.runOf(1)).toMatchObject({
    epoch: 2,
    stage: "working",
    phase: null,
    needs_you: null,
    messages: [],
    work_phase: "investigation",
  });
  expect(await factory.agent()).toMatchObject({ pid: second.pid, status: "active" });
  expect(existsSync(join(old, "spool/new/help.json"))).toBe(true);
});

test("`pawl phase` refuses what is no phase, and needs a session", async () => {
  await using factory = await sessionFactory(`
pawl phase nonsense 2> "$SEEN/refused"; echo "$?" >> "$SEEN/refused"
pawl phase failed --reason "a line of its own"
await never
`);
  const outside = await factory.pawl("phase", "done");
  expect(outside.code).toBe(2);
  expect(outside.stderr).toContain("PAWL_PHASE_FILE is not set");
  await factory.addIssue({ title: "Give up" });
  await factory.daemon();
  await factory.until("it is given up", async () => (await factory.runOf(1)).outcome === "blocked");
  expect(factory.left("refused")).toMatch(/"nonsense" is not a phase[^]*\n2\n$/);
  expect((await factory.runOf(1)).doing).toContain("a line of its own");
  // Cleaned up after `failed`: the path in /tmp is free again.
  await factory.until("the phase path is gone", async () => {
    return !existsSync(`/tmp/dev-session-${factory.project}-1.phase`);
  });
});
