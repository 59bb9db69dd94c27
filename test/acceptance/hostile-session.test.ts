// An agent that wants to decide in the place of people: it changes the gates, queues the change, and
// types every command that could let it through.
import { expect, test } from "vitest";
import { createClient } from "../../src/cli/client.ts";
import { sessionFactory } from "../support/sessions.ts";

const TRIES = [
  "merge-queue approve 1",
  "merge-queue approve pawl/1-no-tests-please",
  "merge-queue pause",
  "merge-queue resume",
  "merge-queue remove 1",
  "merge-queue process",
  "merge-queue add main",
  "issue close 1",
  "issue edit 1 --add-label blocked",
  "stop 1",
  "retry 1",
  "checkpoint restore 1 1 --into-workspace",
  "recover --from /nowhere",
  "doctor --fix",
  "init --yes",
  "down",
  "gate close g1 --reason mine",
  "escalation answer 1 yes",
  "formula run tour --detach",
  "tmux-wrapper spawn dev 1 1.1 --command true",
];

const AGENT = `
sed -i 's/^none = true/command = "true"/' pawl.toml && git commit -qam "No tests any more"
phase awaiting_ci
await queued
while read -r words; do
  pawl $words > "$SEEN/said" 2>&1 < /dev/null; echo "$? $words" >> "$SEEN/tries"
done <<'TRIES'
${TRIES.join("\n")}
TRIES
note tried
await finish
`;

test("an agent cannot approve its own change of the gates, nor decide anything else", async () => {
  await using factory = await sessionFactory(AGENT);
  await factory.ok("issue", "add", "--title", "No tests, please");
  const daemon = await factory.daemon();
  await factory.until("its change waits for an operator", async () =>
    (await factory.status()).waits.some(({ why }) => why.includes("an operator must approve it")),
  );
  factory.allow("queued");
  await factory.until("the agent has tried everything", async () => factory.seen("tried-1-1"));
  expect(factory.left("tries").trim().split("\n")).toEqual(TRIES.map((words) => `4 ${words}`));

  // The same through the API, with the session's environment.
  const env = { ...factory.env, PAWL_RUN: "1.1", PAWL_PROJECT: factory.project };
  const session = createClient({ env, cwd: factory.repo, version: "test", project: undefined });
  const refused = {
    code: "auth",
    message: expect.stringContaining("not allowed inside a session"),
  };
  for (const path of ["/v1/queue/approve", "/v1/daemon/stop", "/v1/doctor/fix", "/v1/nonsense"]) {
    await expect(session.post(path, { entry: "1", by: "ada" })).rejects.toMatchObject(refused);
  }
  await expect(session.get("/v1/runs/1/attach")).rejects.toMatchObject(refused);
  expect(await session.get("/v1/queue")).toMatchObject({ project: factory.project });

  expect(factory.git("show", "main:pawl.toml")).toContain("none = true");
  expect((await factory.status()).daemon?.pid).toBe(daemon.pid);
  await factory.ok("merge-queue", "approve", "1");
  await factory.until("what the operator approved has landed", async () =>
    factory.git("show", "main:pawl.toml").includes('command = "true"'),
  );
});
