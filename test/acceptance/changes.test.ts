// The change feed, through the commands that follow it and as a program would read it.
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StatusView } from "../../src/api/runs.ts";
import { runtimeFolder } from "../../src/config/home.ts";
import {
  makeFactory,
  SCRIPT_AGENT,
  TEST_GATE,
  type Background,
  type Factory,
} from "../support/pawl.ts";

let factory: Factory;
beforeEach(async () => {
  factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}`,
    files: { "test.sh": "true\n" },
  });
  await factory.ok("init", "--yes");
});
afterEach(async () => factory[Symbol.asyncDispose]());

/** How many issues wait, as a follower was last told. */
function waiting(follower: Background): number | undefined {
  const last = follower.output().trim().split("\n").at(-1) ?? "";
  if (!last.endsWith("}")) return undefined;
  const { backlog } = (JSON.parse(last) as StatusView).projects[0] ?? {};
  return backlog === undefined ? undefined : backlog.ready + backlog.waiting + backlog.blocked;
}

type Stream = { text(): string; close(): void; headers: Record<string, unknown> };

const openStream = (path: string, headers: Record<string, string> = {}): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const socketPath = join(runtimeFolder(factory.env, factory.home), "daemon.sock");
    const call = request({ socketPath, path, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("error", () => undefined);
      resolve({ text: () => text, close: () => call.destroy(), headers: response.headers });
    });
    call.on("error", reject);
    call.end();
  });

const idsIn = (text: string): number[] =>
  [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

test("status --watch shows every change to two followers, also after the daemon was started again", async () => {
  await factory.ok("up");
  const followers = [
    factory.background("status", "--watch", "--json"),
    factory.background("status", "--watch", "--json"),
  ];
  const bothSee = (count: number): Promise<true> =>
    factory.until(`both followers see ${count} issues`, async () =>
      followers.every((one) => waiting(one) === count),
    );
  await bothSee(0);
  const add = (title: string) =>
    factory.ok("issue", "add", "--title", title, "--label", "backlog", "--label", "blocked");
  await add("one");
  await bothSee(1);
  await factory.ok("down");
  await add("two");
  await factory.ok("up");
  await add("three");
  await bothSee(3);
  followers[0]?.kill("SIGKILL");
  await add("four");
  await factory.until("the other one goes on", async () =>
    followers.some((one) => waiting(one) === 4),
  );
  expect(followers.map(waiting)).toEqual([3, 4]);
});

test("signals --follow shows a signal as it comes, and logs -f ends with the run", async () => {
  await factory.ok("up");
  const signals = factory.background("signals", "--follow", "--json");
  const number = await factory.addIssue({
    title: "Add a file",
    body: "```sh\necho one > one.txt\n```\n",
  });
  await factory.until("the run is there", async () =>
    (await factory.status()).runs.some(({ issue }) => issue === number),
  );
  const logs = factory.background("logs", String(number), "-f");
  await factory.until("its landing is told", async () =>
    signals.output().includes("MERGE_COMPLETE"),
  );
  expect((await logs.ended).code).toBe(0);
});

test("the feed numbers every commit, resumes after Last-Event-ID, and says what is no longer kept", async () => {
  await factory.ok("up");
  const first = await openStream("/v1/changes?after=0");
  expect(first.headers["content-type"]).toBe("text/event-stream");
  await factory.ok("issue", "add", "--title", "one", "--label", "backlog", "--label", "blocked");
  await factory.until("commits are told of", async () => idsIn(first.text()).length > 3);
  first.close();
  const seen = idsIn(first.text());
  expect(seen).toEqual(seen.map((_, index) => index + 1));

  await factory.ok("down");
  await factory.ok("up");
  const resumed = await openStream("/v1/changes?after=0", { "last-event-id": String(seen[2]) });
  await factory.until("what was missed is told", async () => idsIn(resumed.text()).length > 3);
  resumed.close();
  expect(idsIn(resumed.text())[0]).toBe(4);

  const lost = await openStream("/v1/changes?after=999999");
  await factory.until("it is told to read again", async () => lost.text().includes("event: reset"));
  lost.close();
  expect(lost.text()).toContain("cannot resume after change 999999");
});

test("without a daemon there is no feed, and a follower looks for itself", async () => {
  const follower = factory.background("status", "--watch", "--json");
  await factory.until("it shows the backlog", async () => waiting(follower) === 0);
  await factory.ok("issue", "add", "--title", "one", "--label", "backlog", "--label", "blocked");
  await factory.until("it shows the issue", async () => waiting(follower) === 1);
  expect(follower.output().trim().split("\n")).toHaveLength(2);
  follower.kill("SIGKILL");
});
