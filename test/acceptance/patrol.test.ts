// Patrols through the commands a person types: rounds that act on letters, orphans and parts that
// do not answer, and a daemon that dies between their effects.
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LetterView } from "../../src/api/mail.ts";
import type { PatrolView, PendingView } from "../../src/api/patrols.ts";
import { sessionFactory } from "../support/sessions.ts";

test("the deacon acts on its letters, settles what nobody owns, and its rounds cost no session", async () => {
  await using factory = await sessionFactory(`await give-up && phase failed && await never`, {
    parallel: 1,
  });
  const view = async (...args: string[]): Promise<PatrolView> =>
    JSON.parse(await factory.ok("patrol", ...args, "--json")) as PatrolView;
  const noteOf = ({ steps }: PatrolView, step: string): string =>
    steps.find(({ id }) => id === step)?.note ?? "";
  // Nobody is there yet: a round needs no daemon, and finds nothing.
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
  expect(await factory.ok("patrol", "status")).toContain("inbox-check");
  // Its rounds have started nobody.
  const workers = (await factory.agents()).filter(({ role }) => role !== "daemon");
  expect(workers).toMatchObject([{ identity: "dev-1", epoch: first.epoch }]);

  // Its run gave up, but the forge says that somebody works on it: said again after two rounds.
  factory.allow("give-up");
  await factory.until("it gave up", async () => (await factory.runOf(1)).outcome === "blocked");
  const labels = ["--remove-label", "blocked", "--remove-label", "backlog"];
  await factory.until("its workspace is gone", async () => {
    const { projects } = await factory.status();
    return projects[0]?.backlog.blocked === 1;
  });
  await factory.ok("issue", "edit", "1", ...labels, "--add-label", "in-progress");
  const found = await factory.until("the deacon has found it", async () => {
    const round = await view("run", "deacon");
    return round.orphans.length > 0 && round;
  });
  expect(found.orphans).toMatchObject([{ key: "issue:1", settled: null }]);
  await view("run", "deacon");
  await factory.until("the issue is blocked again", async () => {
    const issue = await factory.client.get<{ labels: string[] }>("/v1/issues/1");
    return issue.labels.toSorted().join() === "backlog,blocked";
  });

  // The repository cannot be looked at: noted, started again, and put before the operator, once.
  renameSync(join(factory.repo, ".git"), join(factory.repo, "git-away"));
  await factory.until("the observer is in trouble", async () => {
    const { waits } = await factory.status();
    return waits.some(({ why }) => why.includes("cannot be looked at"));
  });
  for (let cycle = 1; cycle <= 6; cycle += 1) await view("run", "deacon");
  const ill = await view("run", "deacon");
  expect(ill.health).toMatchObject([{ component: "observer", unresponsive_cycles: 5 }]);
  const letters = JSON.parse(await factory.ok("mail", "inbox", "--json")) as LetterView[];
  const told = letters.filter(({ subject }) => subject.startsWith("Health: observer"));
  expect(told).toMatchObject([{ priority: "urgent", from: "deacon" }]);
  renameSync(join(factory.repo, "git-away"), join(factory.repo, ".git"));
  await factory.until("it is well again", async () => {
    const { health } = await view("run", "deacon");
    return health[0]?.unresponsive_cycles === 0;
  });
  daemon.kill("SIGTERM");
});
