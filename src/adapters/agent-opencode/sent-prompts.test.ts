import { expect, test } from "vitest";
import type { Part } from "./events.ts";
import { SentPrompts } from "./sent-prompts.ts";

const part = (text: string, messageID: string): Part => ({
  id: `prt_${messageID}`,
  messageID,
  type: "text",
  text,
});

const answer = (parentID: string) => ({ id: "msg_9", role: "assistant", parentID }) as const;

test("a prompt is delivered when it stands in the session, also where the same is said twice", async () => {
  const prompts = new SentPrompts();
  const delivered: string[] = [];
  const first = prompts.begin("go on").then(() => delivered.push("first"));
  const second = prompts.begin("go on").then(() => delivered.push("second"));
  prompts.hearPart(part("something else", "msg_1"));
  prompts.hearPart(part("go on", "msg_2"));
  await first;
  expect(delivered).toEqual(["first"]);
  prompts.hearPart(part("go on", "msg_3"));
  await second;
});

test("a stored prompt without an answer is said again with its own ids, but not for ever", async () => {
  const prompts = new SentPrompts();
  expect(prompts.takeUnanswered()).toBeUndefined();
  const begun = prompts.begin("go on");
  expect(prompts.takeUnanswered()).toBeUndefined();
  prompts.hearPart(part("go on", "msg_2"));
  await begun;
  prompts.hearMessage(answer("msg_1"));
  const ids = { messageID: "msg_2", partID: "prt_msg_2", text: "go on" };
  for (let times = 0; times < 3; times += 1) expect(prompts.takeUnanswered()).toMatchObject(ids);
  expect(prompts.takeUnanswered()).toBeUndefined();
});

test("an answered prompt is not said again", async () => {
  const prompts = new SentPrompts();
  const begun = prompts.begin("go on");
  prompts.hearPart(part("go on", "msg_2"));
  await begun;
  prompts.hearMessage(answer("msg_2"));
  expect(prompts.takeUnanswered()).toBeUndefined();
});
