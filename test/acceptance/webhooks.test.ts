// A forge that tells by itself, and operators who answer where they are: against the fake Gitea,
// whose deliveries are signed and sent here as Gitea signs and sends them.
import { createHmac } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeForgeFactory } from "../support/forge-factory.ts";
import { freePort } from "../../src/adapters/shared/free-port.ts";
import { ASKS, shellAgent } from "../support/pawl.ts";
import { untilListening } from "../support/webhook.ts";

const SECRET = "hook-secret-0123456789";

test("a delivery has the forge looked at, an operator's comment answers, and no other account's does", async () => {
  const port = await freePort();
  await using factory = await makeForgeFactory({
    agent: shellAgent(),
    forge: `operators = ["team"]\nwebhook = { listen = "127.0.0.1:${port}" }\n`,
    files: { "agent.sh": ASKS, "tests/a.sh": "true\n" },
    env: { FORGE_WEBHOOK_SECRET: SECRET },
  });
  const { state } = factory.fake;
  let deliveries = 0;
  const deliver = async (event: string, options: { secret?: string; body?: string } = {}) => {
    deliveries += 1;
    const body = options.body ?? JSON.stringify({ action: event, n: deliveries });
    const hmac = createHmac("sha256", options.secret ?? SECRET);
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/${factory.project}`, {
      method: "POST",
      headers: {
        "x-gitea-delivery": `delivery-${deliveries}`,
        "x-gitea-event": event,
        "x-gitea-signature": hmac.update(body).digest("hex"),
      },
      body,
    });
    return answer.status;
  };
  const project = async () => (await factory.status()).projects[0];

  factory.background("run");
  await untilListening(factory, `http://127.0.0.1:${port}/hooks/${factory.project}`);
  // A delivery without the right secret is refused, and so is one for an unknown project.
  expect(await deliver("issues", { secret: "guess" })).toBe(401);
  expect((await fetch(`http://127.0.0.1:${port}/hooks/other`, { method: "POST" })).status).toBe(
    404,
  );
  expect((await project())?.forge).toMatchObject({ source: "polling", heard_at: null });

  // An idle project is asked every 90 s: this is quicker because it was told.
  const number = await factory.fileIssue("Ask", "which?");
  const body = JSON.stringify({ action: "opened" });
  expect(await deliver("issues", { body })).toBe(202);
  expect(await deliver("issues", { body })).toBe(200);
  const onIssue = (from: string) =>
    state.comments.filter(({ issue, body: text }) => issue === number && text.includes(from));
  await factory.until(
    "the question is on the issue",
    async () => onIssue("which colour?").length > 0,
  );
  expect((await project())?.forge).toMatchObject({ source: "webhook", trouble: null });

  const id = state.id();
  const stranger = { id, issue: number, author: "mallory", body: "red", created: Date.now() };
  state.comments.push(stranger);
  expect(await deliver("issue_comment")).toBe(202);
  await factory.post(`/issues/${number}/comments`, { body: "blue, please" });
  expect(await deliver("issue_comment")).toBe(202);
  await factory.until("it landed", async () => (await factory.runOf(number)).outcome === "landed");
  const answer = factory.gitIn(factory.bare, "show", "main:answer.txt");
  expect(answer).toContain("blue, please");
  expect(answer).toContain("team");
  expect(answer).not.toContain("red");
  expect(onIssue("Thank you, @team")).toHaveLength(1);
  expect(onIssue("Pawl needs a person")).toHaveLength(1);
  expect(factory.read("home", "daemon.log")).not.toContain(SECRET);
});

test("without a secret nothing is listened for, and the status says what to do", async () => {
  const port = await freePort();
  await using factory = await makeForgeFactory({
    forge: `webhook = { listen = "127.0.0.1:${port}" }\n`,
  });
  factory.background("run");
  const trouble = await factory.until("it says so", async () => {
    return (await factory.status()).projects[0]?.forge?.trouble ?? undefined;
  });
  expect(trouble).toContain("FORGE_WEBHOOK_SECRET");
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
});

test("a .env that others can read keeps webhooks from being heard, and not the daemon from starting", async () => {
  const port = await freePort();
  await using factory = await makeForgeFactory({
    forge: `webhook = { listen = "127.0.0.1:${port}" }\n`,
  });
  mkdirSync(factory.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(factory.home, ".env"), "FORGE_WEBHOOK_SECRET=s\n", { mode: 0o644 });
  chmodSync(join(factory.home, ".env"), 0o644);
  const running = factory.background("run");
  const trouble = await factory.until("it says so", async () => {
    expect(running.output()).not.toContain("pawl: ");
    return (await factory.status()).projects[0]?.forge?.trouble ?? undefined;
  });
  expect(trouble).toContain(".env");
});
