// Issue 13, items 5 and 20: commands find the daemon from inside a session, and reads need none that
// answers.
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import type { AgentView } from "../../src/api/agents.ts";
import { startNode } from "../integration/support/node-child.ts";
import { makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { sessionFactory } from "../support/sessions.ts";

/** What only people may do is refused at once (4); everything else reaches the daemon. */
const TRIES = [
  [0, "status"],
  [0, "mail send operator --subject Inside"],
  [0, "mail inbox"],
  [4, "issue add --title Inside"],
  [4, "issue comment 1 --body Inside"],
  [4, "issue edit 1 --add-label blocked"],
  [4, "issue close 1"],
  [4, "formula run tour --detach"],
  [4, "stop 1"],
] as const;

const TYPES = `
while read -r words; do
  pawl $words >> "$SEEN/said" 2>&1 < /dev/null; echo "$? $words" >> "$SEEN/tries"
done <<'TRIES'
${TRIES.map(([, words]) => words).join("\n")}
TRIES
note typed
await never
`;

test("commands inside a session reach a daemon that has XDG_RUNTIME_DIR, those that write too", async () => {
  await using factory = await sessionFactory(TYPES);
  expect(factory.env["XDG_RUNTIME_DIR"]).toBeDefined();
  await factory.addIssue({ title: "Look" });
  const daemon = await factory.daemon();
  await factory.until("the agent has typed all", async () => factory.seen("typed-1-1"));
  const said = factory.left("said");
  expect(said).toContain(`daemon\trunning\t${daemon.pid}`);
  expect(factory.left("tries").trim().split("\n"), said).toEqual(
    TRIES.map(([code, words]) => `${code} ${words}`),
  );
  expect(said).not.toContain("pawl down");
  expect(await factory.ok("mail", "inbox")).toContain("Inside");
});

const WAITS = "await never\n";

test("an agent that outlives its daemon is shown as living", async () => {
  await using factory = await sessionFactory(WAITS, { limits: 'stale = "1 s"' });
  await factory.addIssue({ title: "Wait" });
  const daemon = await factory.daemon();
  await factory.started(1);
  daemon.kill("SIGTERM");
  await daemon.ended;
  const shown = async (): Promise<AgentView | undefined> => {
    const agents = JSON.parse(await factory.ok("agents", "--json")) as AgentView[];
    return agents.find(({ identity }) => identity === "dev-1");
  };
  // Longer than the time after which an identity that was not seen is stale.
  const lastSeen = Date.parse((await shown())?.created_at ?? "");
  await factory.until("it is stale by the journal", async () => Date.now() - lastSeen > 1500);
  expect(await shown()).toMatchObject({ status: "active", liveness: "green" });
});

test("a daemon that is stopped keeps no read waiting", async () => {
  await using factory = await sessionFactory(WAITS);
  await factory.addIssue({ title: "Wait" });
  const daemon = await factory.daemon();
  await factory.started(1);
  process.kill(daemon.pid, "SIGSTOP");
  try {
    const status = await factory.pawl("status");
    expect([status.code, status.stderr]).toEqual([
      0,
      expect.stringContaining("the daemon does not answer"),
    ]);
    expect(status.stdout).toContain(`running\t${daemon.pid}`);
    for (const read of [["agents"], ["why", "1"], ["issue", "list"], ["merge-queue", "list"]]) {
      expect([read, (await factory.pawl(...read)).code]).toEqual([read, 0]);
    }
  } finally {
    process.kill(daemon.pid, "SIGCONT");
  }
});

test("down does not say that no daemon runs while a program holds the factory and does not answer", async () => {
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}${TEST_GATE}` });
  await factory.ok("init", "--yes");
  const holder = startNode({
    code: 'const lock = acquireLock(path, { version: "1" }); console.log(lock.kind); setInterval(() => lock, 1000);',
    imports: ["lock.ts acquireLock"],
    path: join(factory.home, "lock.db"),
  });
  await holder.line("held");
  const held = await factory.pawl("down");
  expect(held).toMatchObject({ code: 3, stdout: "" });
  expect(held.stderr).toContain(`no daemon answers, but pid ${holder.pid} uses this factory`);
  await holder.kill();
  expect((await factory.pawl("down")).stderr).toContain("no daemon runs");
});
