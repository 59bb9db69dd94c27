// News reaches people by every configured channel, a channel that fails delays nothing else, and
// its address is not shown anywhere.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChannelView } from "../../src/api/notify.ts";
import { LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";
import { startReceiver } from "../support/receiver.ts";

const ASKS = `printf 'PHASE:escalate\\nReason: red or blue?\\n' > "$PAWL_PHASE_FILE"\n`;

const CHANNELS = `
[[notify]]
kind = "webhook"
url_env = "NEWS_URL"
token_env = "NEWS_TOKEN"
[[notify]]
kind = "slack"
url_env = "SLACK_URL"
[[notify]]
kind = "ntfy"
url_env = "NTFY_URL"
daily_summary = "00:00"
[[notify]]
kind = "command"
command = ["sh", "-c", "cat >> $HOME/news"]
[[notify]]
kind = "forge"
[[notify]]
name = "broken"
kind = "webhook"
url_env = "BROKEN_URL"
[[notify]]
name = "unset"
kind = "slack"
url_env = "NOT_SET"
`;

test("an escalation reaches people by every channel once, and a broken one is shown", async () => {
  await using receiver = await startReceiver((path) => (path === "/broken" ? 500 : 200));
  await using factory = await makeFactory({
    config: `${shellAgent()}[ci]\nnone = true\n${LIMITS}${CHANNELS}`,
    files: { "agent.sh": ASKS },
    env: {
      NEWS_URL: `${receiver.url}/hook`,
      NEWS_TOKEN: "s3cret-token",
      SLACK_URL: `${receiver.url}/slack-s3cret`,
      NTFY_URL: `${receiver.url}/topic-s3cret`,
      BROKEN_URL: `${receiver.url}/broken`,
    },
  });
  await factory.ok("issue", "add", "--title", "Paint it");
  await factory.ok("up");
  const sent = (path: string) =>
    receiver.received
      .filter((one) => one.path === path)
      .map(({ text, headers }): Record<string, unknown> => ({ headers, ...JSON.parse(text) }));
  await factory.until("every channel has brought it", async () => {
    const channels = await factory.client.get<ChannelView[]>("/v1/notify");
    const news = sent("/hook").length > 0 && sent("/slack-s3cret").length > 0;
    const isOver = channels.every(({ name, pending }) => name === "broken" || pending === 0);
    const { waits } = await factory.status();
    return news && isOver && waits.some(({ about }) => about === "notify broken");
  });

  expect(sent("/hook")).toHaveLength(1);
  expect(sent("/hook")[0]).toMatchObject({
    project: factory.project,
    issue: 1,
    severity: "urgent",
    title: "#1 Paint it",
    body: expect.stringContaining("red or blue?"),
    headers: { authorization: "Bearer s3cret-token" },
  });
  expect(sent("/slack-s3cret").map((one) => String(one["text"]))).toEqual([
    expect.stringContaining("#1 Paint it\n"),
  ]);
  const pushed = sent("/").map((one) => `${String(one["topic"])} ${String(one["priority"])}`);
  // The summary of the day is news of its own, below the least severity of the channel.
  expect(pushed.toSorted()).toEqual(["topic-s3cret 2", "topic-s3cret 5"]);
  expect(
    readFileSync(join(factory.root, "user", "news"), "utf8")
      .trim()
      .split("\n"),
  ).toHaveLength(1);
  const shown = await factory.ok("issue", "show", "1");
  expect(shown.split("red or blue?")).toHaveLength(2);

  const { waits } = await factory.status();
  const troubles = waits
    .filter(({ about }) => about.startsWith("notify "))
    .map(({ about }) => about);
  expect(troubles.toSorted()).toEqual(["notify broken", "notify unset"]);
  const listed = await factory.ok("notify", "list");
  expect(listed).toMatch(/broken\twebhook\twarning\t1\t0\t.*answered 500: said 500/);
  expect(listed).toMatch(/unset\tslack\twarning\t0\t1\t.*NOT_SET is not set/);

  const tested = await factory.pawl("notify", "test");
  expect(tested.code).toBe(1);
  expect(tested.stdout).toMatch(/slack\tslack\tsent/);
  expect(tested.stdout).toMatch(/broken\twebhook\t.*answered 500/);
  expect((await factory.pawl("notify", "test", "--kind", "ntfy")).code).toBe(0);
  expect((await factory.pawl("notify", "test", "--kind", "desktop")).stderr).toContain(
    'no channel of kind "desktop" is configured',
  );
  const log = readFileSync(join(factory.home, "daemon.log"), "utf8");
  for (const text of [
    log,
    listed,
    tested.stdout,
    tested.stderr,
    JSON.stringify(await factory.status()),
  ]) {
    expect(text).not.toContain("s3cret");
  }
});
