import { expect, test } from "vitest";
import type { Store } from "../../ports/store.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { announcing, ChangeFeed } from "./change-feed.ts";
import { ChangeEvents, type StreamOptions } from "./change-stream.ts";

type Sent = { id?: string; event: string; data: Record<string, unknown> };

function makeFeed(kept?: number, quietMs?: number) {
  const feed = new ChangeFeed(quietMs);
  const store: Store = announcing(createMemoryStore(kept), feed);
  let count = 0;
  const commit = async (times = 1): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      await store.transaction((tx) => tx.records.put("c", "k", (count += 1)));
    }
  };
  const follow = (after?: number, more: Partial<StreamOptions> = {}) => {
    const events = new ChangeEvents({ store, feed, after, ...more });
    return { events, next: async (): Promise<Sent[]> => parse(await events.next()) };
  };
  return { feed, store, commit, follow };
}

const parse = (text: string | undefined): Sent[] =>
  (text ?? "").split("\n\n").flatMap((block) => {
    const fields = new Map(
      block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    );
    const [id, event] = [fields.get("id"), fields.get("event")];
    if (event === undefined) return [];
    const data = JSON.parse(fields.get("data") ?? "{}") as Record<string, unknown>;
    return [{ ...(id === undefined ? {} : { id }), event, data }];
  });

const ids = (sent: Sent[]): (string | undefined)[] => sent.map(({ id }) => id);

test("a follower without a number is told where it begins, then of every commit", async () => {
  const { commit, follow } = makeFeed();
  await commit(3);
  const one = follow();
  expect(await one.next()).toEqual([{ id: "3", event: "begin", data: { seq: 3 } }]);
  const news = one.next();
  await commit();
  expect(await news).toEqual([{ id: "4", event: "change", data: { seq: 4, aggregates: [] } }]);
});

test("a follower resumes after the number it knows, in pages", async () => {
  const { commit, follow } = makeFeed();
  await commit(250);
  const one = follow(20);
  const read = [...(await one.next()), ...(await one.next()), ...(await one.next())];
  expect(ids(read)).toEqual(Array.from({ length: 230 }, (_, index) => String(index + 21)));
});

test("two followers see the same commits, each at its own pace", async () => {
  const { commit, follow } = makeFeed();
  const [quick, slow] = [follow(0), follow(0)];
  await commit();
  expect(ids(await quick.next())).toEqual(["1"]);
  await commit(2);
  expect(ids(await quick.next())).toEqual(["2", "3"]);
  expect(ids(await slow.next())).toEqual(["1", "2", "3"]);
});

test.each([
  ["older than what is kept", 2],
  ["from another journal", 99],
])("a number that is %s is answered with a reset, and the stream goes on", async (_name, after) => {
  const { commit, follow } = makeFeed(5);
  await commit(20);
  const one = follow(after);
  const [reset] = await one.next();
  expect(reset).toMatchObject({ id: "20", event: "reset", data: { seq: 20 } });
  expect(reset?.data["why"]).toContain(`cannot resume after change ${after}`);
  await commit();
  expect(ids(await one.next())).toEqual(["21"]);
});

test("a follower that was too slow is told so, and nothing was queued for it", async () => {
  const { commit, feed, follow } = makeFeed(5);
  const one = follow(0);
  await commit();
  expect(ids(await one.next())).toEqual(["1"]);
  await commit(40);
  expect(feed.followers).toBe(0);
  expect((await one.next())[0]).toMatchObject({ event: "reset", id: "41" });
});

test("a follower that disconnects is forgotten", async () => {
  const { feed, follow } = makeFeed();
  const one = follow(0);
  const waiting = one.events.next();
  await expect.poll(() => feed.followers).toBe(1);
  one.events.close();
  expect(await waiting).toBeUndefined();
  expect(feed.followers).toBe(0);
});

test("the end of the daemon ends every stream", async () => {
  const { feed, follow } = makeFeed();
  const waiting = [follow(0), follow(0)].map((one) => one.events.next());
  await expect.poll(() => feed.followers).toBe(2);
  feed.close();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  expect(await follow(0).events.next()).toBeUndefined();
});

test("a stream without changes says now and then that it lives", async () => {
  const { follow } = makeFeed(undefined, 1);
  expect(await follow(0).events.next()).toBe(": quiet\n\n");
});

test("a terminal that has shown more is told of between commits", async () => {
  const { follow, commit } = makeFeed();
  let grown: () => void = () => undefined;
  let stopped = 0;
  const watchMore = (call: () => void) => {
    grown = call;
    return () => void (stopped += 1);
  };
  const one = follow(0, { watchMore });
  grown();
  expect(await one.next()).toEqual([{ event: "log", data: {} }]);
  await commit();
  expect(ids(await one.next())).toEqual(["1"]);
  one.events.close();
  expect(stopped).toBe(1);
});
