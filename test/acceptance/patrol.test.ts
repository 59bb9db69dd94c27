// Patrols through the commands a person types: rounds that act on letters, orphans and parts that
// do not answer, and a daemon that dies between their effects.
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LetterView } from "../../src/api/mail.ts";
import type { PatrolView, PendingView } from "../../src/api/patrols.ts";
import { sessionFactory } from "../support/sessions.ts";

test("the deacon acts on its letters, settles what has no owner, and its rounds cost no session", async () => {
  await using factory = await sessionFactory(`await give-up && phase failed && await never`, {
    parallel: 1,
  });
  const view = async (...args: string[]): Promise<PatrolView> =>
    JSON.parse(await factory.ok("patrol", ...args, "--json")) as PatrolView;
  const noteOf = ({ steps }: PatrolView, step: string): string =>
    steps.find(({ id }) => id === step)?.note ?? "";
  // No daemon runs yet: a round needs none, and finds nothing.
  await factory.addIssue({ title: "Later" });
  await factory.ok("issue", "edit", "1", "--remove-label", "backlog");
  const quiet = await view("run", "deacon");
  expect(quiet.steps.map(({ id }) => id)).toEqual([
    "inbox-check",
    "trigger-pending-spawns",
    "gate-evaluation",
    "health-scan",
    "plugin-run",
    "orphan-check",
    "session-gc",
    "context-check",
    "loop-or-exit",
  ]);
  expect(quiet.last_activity).not.toBeNull();
  expect(quiet.steps.every(({ note }) => note === "")).toBe(true);
  expect(quiet.health.map(({ component }) => component)).toEqual([
    "observer",
    "merge-queue",
    "sessions",
    "outbox",
    "witness",
  ]);
  expect(quiet.health.every((part) => part.last_seen_healthy === quiet.last_activity)).toBe(true);

  await factory.ok("mail", "send", "deacon", "--subject", "WITNESS_PING");
  await factory.ok("mail", "send", "deacon", "--subject", "HELP: dev-9 asks for a key");
  const read = await view("run", "deacon");
  expect(noteOf(read, "inbox-check")).toContain("HELP: dev-9 asks for a key");
  const inbox = JSON.parse(await factory.ok("mail", "inbox", "--json")) as LetterView[];
  expect(inbox).toMatchObject([{ from: "deacon", subject: "HELP: dev-9 asks for a key" }]);
  expect(JSON.parse(await factory.ok("mail", "inbox", "--for", "deacon", "--json"))).toEqual([]);

  const daemon = await factory.daemon();
  await factory.ok("issue", "edit", "1", "--add-label", "backlog");
  const first = await factory.started(1);
  await factory.ok("nudge", "dev-1", "Begin.");
  expect((await factory.runOf(1)).messages).toMatchObject([{ kind: "nudge" }]);
  const pending = JSON.parse(await factory.ok("patrol", "pending", "--json")) as PendingView[];
  expect(pending).toEqual([]);
  expect((await view("restart", "witness")).steps.map(({ id }) => id)).toEqual([
    "survey-workers",
    "ping-deacon",
  ]);
  for (const part of ["observer", "merge-queue", "sessions", "outbox"]) {
    await factory.ok("patrol", "restart", part);
    await factory.until(`${part} was started again`, async () => {
      const patrols = await factory.client.get<PatrolView[]>("/v1/patrols");
      return patrols.some((one) => noteOf(one, "health-scan") === `${part} was started again`);
    });
  }
  expect((await factory.pawl("patrol", "restart", "everything")).stderr).toContain(
    "deacon, witness, observer, merge-queue, sessions, outbox",
  );
  expect(await factory.ok("patrol", "status")).toContain("inbox-check");
  // Its rounds have started no agent.
  const workers = (await factory.agents()).filter(({ role }) => role !== "daemon");
  expect(workers).toMatchObject([{ identity: "dev-1", epoch: first.epoch }]);

  // Its run gave up, and a person takes the issue: the deacon leaves their label alone.
  factory.allow("give-up");
  await factory.until("it gave up", async () => (await factory.runOf(1)).outcome === "blocked");
  const labels = ["--remove-label", "blocked", "--remove-label", "backlog"];
  await factory.until("its workspace is gone", async () => {
    const { projects } = await factory.status();
    return projects[0]?.backlog.blocked === 1;
  });
  await factory.ok("issue", "edit", "1", ...labels, "--add-label", "in-progress");
  await factory.until("the label is seen", async () => {
    return (await factory.ok("why", "1")).includes("a person or another factory works on it");
  });
  for (const _ of [1, 2]) expect((await view("run", "deacon")).orphans).toEqual([]);
  expect(await factory.client.get("/v1/issues/1")).toMatchObject({ labels: ["in-progress"] });

  // The repository cannot be checked: noted, started again, and put before the operator, once.
  renameSync(join(factory.repo, ".git"), join(factory.repo, "git-away"));
  await factory.until("the observer is in trouble", async () => {
    const { waits } = await factory.status();
    return waits.some(({ why }) => why.includes("cannot be checked"));
  });
  for (let cycle = 1; cycle <= 6; cycle += 1) await view("run", "deacon");
  const ill = await view("run", "deacon");
  const observer = ({ health }: PatrolView) =>
    health.find(({ component }) => component === "observer");
  // Counting goes on after the letter, and the last healthy round is known from the first one on.
  expect(observer(ill)?.unresponsive_cycles).toBeGreaterThanOrEqual(7);
  expect(Date.parse(observer(ill)?.last_seen_healthy ?? "")).toBeGreaterThan(
    Date.parse(quiet.last_activity ?? ""),
  );
  const letters = JSON.parse(await factory.ok("mail", "inbox", "--json")) as LetterView[];
  const told = letters.filter(({ subject }) => subject.startsWith("Health: observer"));
  expect(told).toMatchObject([{ priority: "urgent", from: "deacon" }]);
  renameSync(join(factory.repo, "git-away"), join(factory.repo, ".git"));
  await factory.until("it is well again", async () => {
    return observer(await view("run", "deacon"))?.unresponsive_cycles === 0;
  });
  daemon.kill("SIGTERM");
});

/** Judges by what the letter says; what it answers first is none of the choices. */
const JUDGE = `
case $(cat "$PAWL_PROMPT_FILE") in
  *"From: operator"*) answer='{"decision":"dismiss","reason":"it asks for nothing"}' ;;
  *) answer='{"decision":"reply","reason":"it is in the repository","text":"Port 8081."}' ;;
esac
echo '{"decision":"maybe"}' > "$PAWL_RESULT_FILE" && phase done
cp "$(message refused)" "$SEEN/refused-$PAWL_EPOCH"
printf '%s' "$answer" > "$PAWL_RESULT_FILE" && rm -f "$PAWL_PHASE_FILE" && phase done
await never
`;

test("what the rules cannot decide is judged by a model within its budget; a daemon that grew goes on as a fresh one", async () => {
  await using factory = await sessionFactory(JUDGE);
  const config = readFileSync(join(factory.repo, "pawl.toml"), "utf8");
  const patrol = '[patrol]\ndeacon = "1 h"\ntriage = { per_day = 1 }\n';
  factory.commit({ "pawl.toml": `${config}${patrol}` }, "Ask a model, once a day");
  const write = (subject: string, ...more: string[]): Promise<string> =>
    factory.ok("mail", "send", "deacon", "--subject", subject, ...more);
  const deacon = async (): Promise<PatrolView | undefined> =>
    (await factory.client.get<PatrolView[]>("/v1/patrols")).find((one) => one.patrol === "deacon");
  const inbox = async (): Promise<string[]> =>
    (JSON.parse(await factory.ok("mail", "inbox", "--json")) as LetterView[]).map(
      ({ subject }) => subject,
    );
  await factory.ok("up");
  await factory.register();
  await write("For your information", "--body", "all is well");
  await write("Something else");
  await write("HELP now", "--priority", "urgent");
  await factory.ok("patrol", "run", "deacon");
  // The second is beyond the budget, the third urgent: both are with the operator at once.
  expect((await inbox()).toSorted()).toEqual(["HELP now", "Something else"]);
  const judged = await factory.until("the first is judged", async () => {
    const triage = (await deacon())?.triage;
    return triage !== undefined && triage !== null && triage.log.length > 0 && triage;
  });
  expect(judged).toMatchObject({
    asked: 1,
    open: [],
    log: [{ subject: "For your information", decision: "dismiss", reason: "it asks for nothing" }],
  });
  expect(factory.left("refused-1")).toContain("decision must be one of forward, look, dismiss");
  expect((await inbox()).toSorted()).toEqual(["HELP now", "Something else"]);
  expect(await factory.ok("patrol", "status")).toContain("dismiss: it asks for nothing");
  const { runs } = await factory.status();
  expect(runs.map(({ identity }) => identity)).toEqual(["supervisor-triage"]);

  // Its own context is the daemon: too large, it exits, and its keeper starts it again, once.
  const before = (await factory.status()).daemon?.pid;
  const small = config + patrol.replace("triage", "memory_mb = 1\ntriage");
  factory.commit({ "pawl.toml": small }, "Be content with little");
  const fresh = await factory.until("another daemon goes on", async () => {
    await factory.ok("patrol", "run", "deacon");
    const pid = (await factory.status()).daemon?.pid;
    return pid !== undefined && pid !== before && pid;
  });
  const note = (await deacon())?.steps.find(({ id }) => id === "loop-or-exit")?.note;
  expect(note).toMatch(/^exit: the daemon uses \d+ MB/);
  expect((await deacon())?.triage?.log, "what was known is kept").toHaveLength(1);
  await factory.ok("patrol", "run", "deacon");
  expect((await factory.status()).daemon?.pid, "and not again at once").toBe(fresh);
  const letters = await inbox();
  expect(letters.filter((subject) => subject.includes("died"))).toEqual([]);
  expect(letters.some((subject) => subject.startsWith("Health: the daemon uses"))).toBe(true);
});
