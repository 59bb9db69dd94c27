// Reading an agent rightly: what its screen shows proves little, what its hooks say proves much, and
// nothing is decided against it without a look.
import { expect, test } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import { isRunning } from "../support/pawl.ts";
import { sessionFactory } from "../support/sessions.ts";

const escalationOf = async (factory: {
  ok: (...args: string[]) => Promise<string>;
}): Promise<EscalationView | undefined> =>
  (JSON.parse(await factory.ok("escalation", "list", "--json")) as EscalationView[])[0];

test("defect 15: text on the screen that looks like an end finishes no session", async () => {
  await using factory = await sessionFactory(`
printf 'Done for 3m 12s\\nBaked for 4m 55s\\n\\n> \\n'
note shown
await go
echo work > work.txt && git add -A && git commit -qm Work && phase awaiting_ci
message landed >/dev/null
`);
  await factory.addIssue({ title: "Look finished" });
  await factory.daemon();
  const { last_seen: before, pid } = await factory.started(1);
  await factory.until("it was looked at", async () => (await factory.agent()).last_seen > before);
  expect(await factory.agent()).toMatchObject({ status: "active", verdict: null, epoch: 1, pid });
  factory.allow("go");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
  expect((await factory.runOf(1)).epoch).toBe(1);
});

test("defect 16: a spinner that repaints is stuck; it is started again once, then a person is asked", async () => {
  await using factory = await sessionFactory(
    `while :; do printf '\\r| '; sleep 0.05; printf '\\r/ '; sleep 0.05; done`,
    { limits: 'quiet_warning = "1 s"\nstuck = "3 s"' },
  );
  await factory.addIssue({ title: "Spin" });
  await factory.daemon();
  const first = await factory.started(1);
  const asked = await factory.until("a person is asked", () => escalationOf(factory));
  expect(asked.reason).toMatch(/^stuck: no sign of life or work for .*, again$/);
  const run = await factory.runOf(1);
  expect(run).toMatchObject({ epoch: 2, stage: "escalated" });
  expect(run.warnings.some((text) => text.startsWith("no progress for"))).toBe(true);
  await factory.until("it has ended", async () => !isRunning(first.pid ?? 0));
  const stuck = (await factory.signals()).filter(({ kind }) => kind === "ORCHESTRATOR_STUCK");
  expect(stuck).toHaveLength(2);
});

test("defect 16: a full core of CPU is alive, however silent", async () => {
  await using factory = await sessionFactory(`while :; do :; done`, {
    limits: 'quiet_warning = "1 s"\nstuck = "3 s"',
  });
  await factory.addIssue({ title: "Burn" });
  await factory.daemon();
  await factory.started(1);
  const warned = await factory.until("its silence is warned of", async () => {
    const run = await factory.runOf(1);
    return run.warnings.some((text) => text.startsWith("no progress for")) && run;
  });
  await factory.until("it was looked at for long after that", async () => {
    const { last_seen } = await factory.agent();
    return Date.parse(last_seen) - Date.parse(warned.requested_at) > 8_000;
  });
  expect(await factory.agent()).toMatchObject({ status: "active", epoch: 1, verdict: null });
});

test("a clock on the statusline that advances keeps a silent agent from being stuck", async () => {
  await using factory = await sessionFactory(
    `while :; do printf '\\rrepo | ctx(12%%) | %s ' "$(date +%H:%M:%S)"; sleep 0.5; done`,
    { limits: 'quiet_warning = "1 s"\nstuck = "8 s"' },
  );
  await factory.addIssue({ title: "Tick" });
  await factory.daemon();
  const { created_at: born } = await factory.started(1);
  await factory.until("it was looked at for long", async () => {
    const { last_seen, epoch } = await factory.agent();
    expect(epoch).toBe(1);
    return Date.parse(last_seen) - Date.parse(born) > 20_000;
  });
  expect(await factory.agent()).toMatchObject({ status: "active", context: { percent: 12 } });
});

test("defect 17: an agent that waits for its child is neither idle nor dead", async () => {
  await using factory = await sessionFactory(
    `
spool '{"v":1,"at":1,"kind":"stop","background":1}'
(until [ -e "$SEEN/go" ]; do sleep 0.1; done) & wait
echo work > work.txt && git add -A && git commit -qm Work && phase awaiting_ci
message landed >/dev/null
`,
    { limits: 'idle_check = "1 s"\nquiet_warning = "1 s"' },
  );
  await factory.addIssue({ title: "Wait for a child" });
  await factory.daemon();
  const { pid } = await factory.started(1);
  await factory.until("its silence is warned of", async () => {
    return (await factory.runOf(1)).warnings.length > 0;
  });
  expect(await factory.runOf(1)).toMatchObject({ epoch: 1, messages: [], pid });
  factory.allow("go");
  await factory.until("it lands", async () => (await factory.runOf(1)).outcome === "landed");
});

test("an agent that stops without a phase is nudged twice, then reported as idle_prompt", async () => {
  await using factory = await sessionFactory(
    `
for round in 1 2; do
  spool '{"v":1,"at":1,"kind":"stop","background":0}'
  message nudge >/dev/null && note "nudged$round"
done
spool '{"v":1,"at":1,"kind":"stop","background":0}'
await never
`,
    // It has three of them to read each nudge.
    { limits: 'idle_check = "3 s"' },
  );
  await factory.addIssue({ title: "Stop" });
  await factory.daemon();
  const asked = await factory.until("a person is asked", () => escalationOf(factory));
  expect(asked.reason).toMatch(/^idle_prompt/);
  expect([factory.seen("nudged1-1-1"), factory.seen("nudged2-1-1")]).toEqual([true, true]);
  await factory.until("the session has ended", async () => !(await factory.runOf(1)).alive);
  expect(await factory.agent()).toMatchObject({ status: "terminated", verdict: "incomplete" });
});

test("a question of the agent's own is asked at once, with its choices, and closed only by a fitting answer", async () => {
  await using factory = await sessionFactory(`
spool '{"v":1,"at":1,"kind":"question","id":"q1","text":"Overwrite the fixtures?","choices":["Yes","No"]}'
spool '{"v":1,"at":1,"kind":"tool","tool":"Read"}'
cp "$(message answer)" "$SEEN/answer"
await never
`);
  await factory.addIssue({ title: "Ask" });
  await factory.daemon();
  const asked = await factory.until("a person is asked", () => escalationOf(factory));
  expect(asked).toMatchObject({
    reason: "the agent asks: Overwrite the fixtures?  [1) Yes  2) No]",
    choices: ["Yes", "No"],
    alive: true,
  });
  expect((await factory.agent()).waiting).toBe("decision");
  const refused = await factory.pawl("escalation", "answer", "1", "Perhaps");
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("1) Yes, 2) No");
  const retried = await factory.pawl("retry", "1");
  expect(retried).toMatchObject({ code: 2 });
  expect(retried.stderr).toMatch(/waits for one of its choices[^]*1\) Yes, 2\) No/);
  expect((await factory.agent()).waiting).toBe("decision");
  const early = new Date(Date.parse(asked.since) - 1).toISOString();
  const old = await factory.pawl("escalation", "answer", "1", "2", "--since", early);
  expect(old.stderr).toContain("asks something else now: your answer was not passed on");
  expect((await factory.agent()).waiting).toBe("decision");
  await factory.ok("escalation", "answer", "1", "2", "--since", asked.since);
  await factory.until("the agent has the answer", async () => factory.seen("answer"));
  expect(factory.left("answer")).toContain("\nNo\n");
  expect(await factory.runOf(1)).toMatchObject({ stage: "working", epoch: 1 });
});

test("a usage limit is waited for: no crash, no nudge, and a new life when it is over", async () => {
  await using factory = await sessionFactory(
    `
if [ "$PAWL_EPOCH" = 1 ]; then
  spool "{\\"v\\":1,\\"at\\":1,\\"kind\\":\\"limit\\",\\"until\\":$(($(date +%s) + 20)),\\"reason\\":\\"5-hour window\\"}"
  sleep 0.5
  exit 1
fi
await never
`,
    { limits: 'idle_check = "1 s"\ncrashes = 0' },
  );
  await factory.addIssue({ title: "Use everything up" });
  await factory.daemon();
  const limited = await factory.until("it has left", async () => {
    const run = await factory.runOf(1);
    return run.epoch === 1 && run.pid !== null && !run.alive && run;
  });
  expect(limited).toMatchObject({ crashes: 0, needs_you: null, messages: [] });
  expect(limited.warnings.join()).toContain("5-hour window");
  await factory.started(2);
  expect((await factory.signals()).map(({ kind }) => kind)).not.toContain("AGENT_CRASHED");
});

test("defect 20: of a long output the end is kept, where people and diagnostics look", async () => {
  await using factory = await sessionFactory(`
i=0; while [ "$i" -lt 4000 ]; do i=$((i + 1)); echo "line $i"; done
echo 'RESULT: the last line'
pawl phase escalate --reason "Look at my output"
await never
`);
  await factory.addIssue({ title: "Talk" });
  await factory.daemon();
  await factory.until("a person is asked", () => escalationOf(factory));
  const end = /line 4000\nRESULT: the last line\nPHASE:escalate$/;
  expect(await factory.ok("logs", "1")).toMatch(end);
  const shown = JSON.parse(await factory.ok("escalation", "show", "1", "--json")) as {
    log: string;
  };
  expect(shown.log.trim()).toMatch(end);
});
