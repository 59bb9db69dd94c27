import { expect, test } from "vitest";
import type { ModelMessage } from "./conversation.ts";
import { decide } from "./script.ts";

const TOOLS = [{ name: "Bash" }];
const user = (text: string): ModelMessage => ({ role: "user", content: text });
const call = (): ModelMessage => ({ role: "assistant", content: [{ type: "tool_use" }] });
const result = (content: string): ModelMessage => ({
  role: "user",
  content: [
    { type: "tool_result", content },
    { type: "text", text: "<system-reminder>x</system-reminder>" },
  ],
});
const answer = (...messages: ModelMessage[]) => decide({ model: "m", messages, tools: TOOLS });
const command = (...messages: ModelMessage[]) => answer(...messages).tools[0]?.input["command"];

test("the steps of a prompt are called one after the other, then the turn ends", () => {
  const prompt = user("Do [[bash: one]] and [[bash: two]]");
  expect(command(prompt)).toBe("one");
  expect(command(prompt, call(), result("fine"))).toBe("two");
  const end = answer(prompt, call(), result("fine"), call(), result("done"));
  expect(end).toMatchObject({ tools: [], text: "Tool finished (ok): done" });
});

test("a message of Pawl is answered as the conversation laid down for its kind", () => {
  const issue = user("[[bash: begin]] [[on ci-failed]][[bash: repair]][[end]]");
  expect(command(issue)).toBe("begin");
  expect(command(issue, user("Id: m1\nKind: ci-failed\n\nCI failed."))).toBe("repair");
  expect(command(issue, user("Id: m2\nKind: ci-passed\n\nCI passed."))).toBeUndefined();
  expect(command(issue, user("Id: m3\nKind: landed\n\nLanded."))).toContain("PHASE:done");
});

test("issues written for the script agent are worked on too", () => {
  const issue = user(
    "```sh\necho a > a\n```\n```sh on-ci-failure\nrm a\n```\n```sh on-conflict\necho b\n```",
  );
  expect(command(issue)).toMatch(/^echo a > a\ngit add -A/);
  expect(command(issue, user("Id: m1\nKind: ci-failed\n\nx"))).toMatch(/^rm a\ngit add -A/);
  expect(command(issue, user("Id: m2\nKind: tests-failed\n\nx"))).toMatch(/^rm a\ngit add -A/);
  expect(command(issue, user("Id: m3\nKind: conflict\n\nx"))).toMatch(/^echo b\ngit add -A/);
});

test("errors come with their headers, always or once", () => {
  const always = answer(
    user("[[error: 429 rate_limit_error too many]] [[header: retry-after 60]]"),
  );
  expect(always.failure).toEqual({
    status: 429,
    type: "rate_limit_error",
    message: "too many",
    headers: { "retry-after": "60" },
  });
  const once = new Set<string>();
  const request = { model: "m", messages: [user("[[error-once: 500 api_error x]]")], tools: TOOLS };
  expect(decide(request, once).failure?.status).toBe(500);
  expect(decide(request, once).failure).toBeUndefined();
});

test("errands without tools get no tool call, and a compaction gets its summary", () => {
  const messages = [user("[[bash: x]]")];
  expect(decide({ model: "m", messages }).tools).toEqual([]);
  const asked = [user('Judge this: [[text: {"status":"SUCCESS"}]]')];
  expect(decide({ model: "m", messages: asked }).text).toBe('{"status":"SUCCESS"}');
  const compact = user("Write an <analysis> block followed by a <summary> block.");
  expect(answer(compact).text).toContain("<summary>");
  const left = "[[on nudge]][[bash: later]][[end]]";
  expect(answer(user(`[[bash: x]] ${left}`), compact).text).toContain(left);
});

test("what is known already is not looked for again", () => {
  const prompt = user("[[find: THE-FACT | cat fact.txt | head -1]] [[bash: work]]");
  expect(command(prompt)).toBe("cat fact.txt | head -1");
  expect(command(prompt, call(), result("THE-FACT is this"))).toBe("work");
  const again = user("go on [[find: THE-FACT | cat fact.txt]] [[bash: work]]");
  expect(command(prompt, call(), result("THE-FACT is this"), again)).toBe("work");
  expect(command(user("THE-FACT is known [[find: THE-FACT | cat]] [[bash: work]]"))).toBe("work");
});
