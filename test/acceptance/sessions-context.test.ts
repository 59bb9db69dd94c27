// A context that fills is handed over before it ends in a crash.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SignalView } from "../../src/api/signals.ts";
import { isRunning } from "../support/pawl.ts";
import { sessionFactory } from "../support/sessions.ts";

const kindsOf = (signals: SignalView[]): string[] => signals.map(({ kind }) => kind);

test("AC-4.1: a compaction that only the terminal shows is noticed and signalled", async () => {
  await using factory = await sessionFactory(`
echo 'Running PreCompact hook'
await never
`);
  await factory.addIssue({ title: "Fill up" });
  await factory.daemon();
  await factory.started(1);
  const warning = await factory.until("a warning is signalled", async () =>
    (await factory.signals()).find(({ kind }) => kind === "CONTEXT_WARNING"),
  );
  expect(warning.detail).toMatchObject({ urgency: "low", symptoms: ["compaction"] });
  const usage = JSON.parse(await factory.ok("context", "usage", "--json")) as unknown[];
  expect(usage).toMatchObject([{ identity: "dev-1", percent: null, urgency: "low" }]);
});

const POLITE = `
if [ "$PAWL_EPOCH" = 1 ]; then
  echo tracked > tracked.txt && git add tracked.txt && git commit -qm "First part"
  echo changed >> tracked.txt
  echo loose > untracked.txt
  pawl context report 72
  message checkpoint-now >/dev/null && note advised
  pawl context report 85
  path=$(message hand-off)
  cp "$path" "$SEEN/request"
  git commit -qam "Second part"
  pawl hook set --phase testing --summary "the second half of the tests"
  exit 0
fi
await never
`;

test("AC-4.2, AC-4.5, G4: a hand-off ends in a continuation within 90 s, by signals, with every file", async () => {
  await using factory = await sessionFactory(POLITE);
  await factory.addIssue({ title: "Fill up" });
  await factory.daemon();
  const since = performance.now();
  const second = await factory.started(2);
  expect(performance.now() - since).toBeLessThan(90_000);
  expect(factory.seen("advised-1-1")).toBe(true);
  expect(factory.left("request")).toMatch(
    /^Id: m2\nKind: hand-off\nUrgent: yes\n\nGUARDIAN: Save your work and exit cleanly\./,
  );
  expect(second).toMatchObject({ predecessor_id: `dev-1-1@${factory.project}`, status: "active" });
  const prompt = factory.left("prompt-1-2");
  expect(prompt).toContain(
    `You are a continuation of dev-1-1@${factory.project}. Resume from: the second half of the tests. Phase: testing.`,
  );
  expect(prompt).not.toContain("GUARDIAN: Save your work and exit cleanly.");
  await factory.until("the continuation is signalled", async () =>
    kindsOf(await factory.signals()).includes("HANDOFF_COMPLETE"),
  );
  const kinds = kindsOf(await factory.signals());
  const order = ["CONTEXT_WARNING", "HANDOFF_REQUESTED", "HOOK_UPDATED", "HANDOFF_COMPLETE"];
  expect(order.map((kind) => kinds.lastIndexOf(kind))).toEqual(
    order.map((kind) => kinds.lastIndexOf(kind)).toSorted((a, b) => a - b),
  );
  expect(kinds).not.toContain("AGENT_CRASHED");
  const hub = join(factory.projectDir, "hub.git");
  const saved = (path: string): string =>
    factory.gitIn(hub, "show", `refs/pawl/checkpoints/dev-1:${path}`);
  expect([saved("tracked.txt"), saved("untracked.txt")]).toEqual(["tracked\nchanged", "loose"]);
  const workspace = join(factory.projectDir, "workspaces/dev-1");
  expect(factory.gitIn(workspace, "log", "-1", "--format=%s")).toBe("Second part");
});

test("AC-4.4: an agent that does not leave is ended, its work saved, and a continuation starts", async () => {
  await using factory = await sessionFactory(
    `
if [ "$PAWL_EPOCH" = 1 ]; then
  echo unsaved > unsaved.txt
  spool '{"v":1,"at":1,"kind":"statusline","clock":"10:00:00","context":91}'
fi
await never
`,
    { limits: 'hand_off = "2 s"' },
  );
  await factory.addIssue({ title: "Fill up" });
  await factory.daemon();
  const first = await factory.started(1);
  await factory.started(2);
  expect(isRunning(first.pid ?? 0)).toBe(false);
  const signals = await factory.signals();
  const [requested, stuck] = ["HANDOFF_REQUESTED", "ORCHESTRATOR_STUCK"].map((wanted) =>
    signals.find(({ kind }) => kind === wanted),
  );
  expect(Date.parse(stuck?.at ?? "") - Date.parse(requested?.at ?? "")).toBeGreaterThanOrEqual(
    2000,
  );
  const ended = signals.find(({ kind }) => kind === "AGENT_TERMINATED");
  expect(ended?.detail).toMatchObject({ verdict: "handed_off" });
  const hub = join(factory.projectDir, "hub.git");
  expect(factory.gitIn(hub, "show", "refs/pawl/checkpoints/dev-1:unsaved.txt")).toBe("unsaved");
});

test("a person who holds the session is not handed off", async () => {
  await using factory = await sessionFactory(
    `
await fill
spool '{"v":1,"at":1,"kind":"context","percent":95}'
note filled
await never
`,
    { limits: 'hand_off = "1 s"' },
  );
  await factory.addIssue({ title: "Fill up" });
  await factory.daemon();
  const agent = await factory.started(1);
  await factory.ok("hold", "1");
  factory.allow("fill");
  await factory.until("it is known", async () => (await factory.agent()).context?.percent === 95);
  expect((await factory.agent()).waiting).toContain("held by");
  expect(kindsOf(await factory.signals())).not.toContain("HANDOFF_REQUESTED");
  expect(isRunning(agent.pid ?? 0)).toBe(true);
});
