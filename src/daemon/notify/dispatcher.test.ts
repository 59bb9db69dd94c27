import { expect, test } from "vitest";
import { createFakeClock } from "../../../test/support/clock.ts";
import type { ChannelConfig } from "../../core/channel.ts";
import { projectAggregate, projectName } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { News } from "../../ports/notifier.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { Dispatcher } from "./dispatcher.ts";
import { accept } from "./notices.ts";
import { changeNotices, type Way } from "./records.ts";

const PROJECT = projectName("toy");
const channel = (name: string): ChannelConfig => ({
  kind: "webhook",
  name,
  severity: "info",
  foldMs: 0,
  timeoutMs: 10_000,
});
const CHANNELS = [channel("slow"), channel("quick")];

type Send = (news: News) => Promise<void>;

async function world(slow: Send) {
  const store = createMemoryStore();
  const clock = createFakeClock();
  const project = { kind: "project", name: PROJECT, config: { notify: CHANNELS } };
  await store.transaction((tx) => tx.save(projectAggregate(PROJECT), project as never, undefined));
  const brought: string[] = [];
  const dispatcher = new Dispatcher({
    store,
    clock,
    redact: (text) => text,
    open: async (way) => ({
      send: (news: News) =>
        way.channel.name === "slow" ? slow(news) : Promise.resolve(void brought.push(news.title)),
    }),
    status: async () => ({}) as never,
    onError: (error) => {
      throw error;
    },
  });
  const tell = async (title: string): Promise<void> => {
    const news = { key: title, title, severity: "urgent" } as unknown as News;
    for (const one of CHANNELS) {
      const way: Way = { project: PROJECT, channel: one };
      const at = clock.now();
      await changeNotices(store, way, (now) => accept(now, news, { at, foldMs: one.foldMs }));
    }
    dispatcher.wake();
  };
  return { tell, brought, clock, dispatcher };
}

test("a channel whose server never answers holds up no other one", async () => {
  const { tell, brought, clock } = await world(() => new Promise(() => undefined));
  await tell("first");
  await clock.pass(1);
  await tell("second");
  await clock.pass(1);
  await tell("third");
  await clock.pass(1);
  expect(brought).toEqual(["first", "second", "third"]);
});

test("what a channel refused is brought when it answers again, once, and in order", async () => {
  let isDown = true;
  const late: string[] = [];
  const { tell, brought, clock } = await world(async ({ title }) => {
    if (isDown) throw new OperationError("down", { code: "http-unreachable", retryable: true });
    late.push(title);
  });
  await tell("first");
  await tell("second");
  await clock.pass(1_000);
  expect(late).toEqual([]);
  isDown = false;
  await clock.pass(60_000);
  expect(late).toEqual(["first", "second"]);
  expect(brought).toEqual(["first", "second"]);
});
