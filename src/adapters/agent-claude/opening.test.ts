import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chooseConversation, leftConversation } from "./conversation.ts";
import { openingFor } from "./opening.ts";

let root: string;
let env: Record<string, string>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-opening-"));
  env = { HOME: root };
  await mkdir(join(root, ".claude", "projects", "p"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const dirOf = (epoch: number): string => join(root, "runs", String(epoch));
const letter = (id: string, kind = "nudge"): string =>
  `Id: ${id}\nKind: ${kind}\n\ntext of ${id}\n`;
const promptOf = (epoch: number, tell: string[] = []): string =>
  [
    `Go on, life ${epoch}.`,
    ...(tell.length === 0 ? [] : ["## Messages for you, oldest first"]),
    ...tell.map((id) => `### ${id}\n\ntext of ${id}`),
  ].join("\n\n");

type Life = { tell?: string[]; resume?: string | undefined; as?: Record<string, string> };

/** Answers what Claude Code is started with. */
async function start(epoch: number, { tell = [], resume, as = env }: Life = {}): Promise<string> {
  const dir = dirOf(epoch);
  await mkdir(join(dir, "inbox", "cur"), { recursive: true });
  const promptFile = join(dir, "prompt.md");
  await writeFile(promptFile, `${promptOf(epoch, tell)}\n`);
  await chooseConversation({ dir, resume, env: as });
  return openingFor({ dir, promptFile, resume, env: as });
}

const acknowledge = (epoch: number, id: string, kind?: string): Promise<void> =>
  writeFile(join(dirOf(epoch), "inbox", "cur", `${id}.md`), letter(id, kind));

const user = (content: unknown): unknown => ({ type: "user", message: { role: "user", content } });
const mail = (content: string): unknown => ({
  type: "attachment",
  attachment: { type: "hook_success", content },
});

async function keep(epoch: number, lines: unknown[]): Promise<string> {
  const conversation = await chooseConversation({ dir: dirOf(epoch), resume: undefined, env });
  const path = join(root, ".claude", "projects", "p", `${conversation.id}.jsonl`);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return conversation.id;
}

test("what a life acknowledged and its conversation lacks is told to the next one", async () => {
  const first = await start(1);
  for (const id of ["m1", "m2", "m3", "m10"]) await acknowledge(1, id);
  const waiting = { type: "queue-operation", operation: "enqueue", content: letter("m3") };
  const resume = await keep(1, [
    user(first),
    user([{ type: "text", text: letter("m1").trim() }]),
    mail(`UserPromptSubmit hook success: ${letter("m2")}`),
    waiting,
  ]);
  expect(await start(2, { resume })).toBe(
    [letter("m3").trim(), letter("m10").trim(), promptOf(2)].join("\n\n"),
  );
});

test("a life that kept nothing has told its successor nothing", async () => {
  await start(1);
  await acknowledge(1, "m1");
  expect(await leftConversation({ dir: dirOf(1), env })).toBeUndefined();
  expect(await start(2)).toBe(`${letter("m1").trim()}\n\n${promptOf(2)}`);
});

test("it is told until a conversation has it, and then no more", async () => {
  await start(1);
  await acknowledge(1, "m1");
  const second = await start(2);
  const third = await start(3);
  expect([second, third].map((opening) => opening.includes("text of m1"))).toEqual([true, true]);
  const resume = await keep(3, [user(third)]);
  expect(await start(4, { resume })).toBe(promptOf(4));
});

test("a prompt does not repeat what the resumed conversation has", async () => {
  const first = await start(1);
  const second = await start(2, { tell: ["m1"] });
  const resume = await keep(2, [user(first), user(second)]);
  expect(await start(3, { tell: ["m1", "m2"], resume })).toBe(promptOf(3, ["m2"]));
  // Another conversation does not know it.
  expect(await start(4, { tell: ["m1"] })).toBe(promptOf(4, ["m1"]));
});

test("a review is told whole, though the conversation has read its headings elsewhere", async () => {
  const first = await start(1);
  const resume = await keep(1, [
    user(first),
    user("### Summary\n\nOf round 1."),
    user("# A\n### Issues\n"),
  ]);
  const review =
    "m7\n\nChanges requested by ada:\n\n### Summary\n\nAlmost.\n\n### Issues\n\nName it.";
  expect(await start(2, { tell: [review], resume })).toBe(promptOf(2, [review]));
});

test("a message stands in an opening once", async () => {
  await start(1);
  await acknowledge(1, "m1");
  expect(await start(2, { tell: ["m1"] })).toBe(promptOf(2, ["m1"]));
});

test("what was asked of the life that is over is not asked again", async () => {
  await start(1);
  await acknowledge(1, "m1", "hand-off");
  await acknowledge(1, "m2", "checkpoint-now");
  expect(await start(2)).toBe(promptOf(2));
});

test("a conversation of another account, which cannot be looked at, is believed", async () => {
  await start(1);
  await acknowledge(1, "m1");
  expect(await start(2, { as: { CLAUDE_CONFIG_DIR: join(root, "other") } })).toBe(promptOf(2));
});

test("a repeated start is told the same, whatever happened meanwhile", async () => {
  const first = await start(1);
  await acknowledge(1, "m1");
  const resume = await keep(1, [user(first)]);
  const second = await start(2, { resume });
  await keep(1, [user(first), user(letter("m1"))]);
  expect(await start(2, { resume })).toBe(second);
});

test("an opening that is too long for an argument is named by its file", async () => {
  await start(1);
  await writeFile(join(dirOf(1), "inbox", "cur", "m1.md"), `${letter("m1")}${"x".repeat(100_000)}`);
  const file = join(dirOf(2), "opening.md");
  const named = `Your task is described in the file ${file}. Read the whole file and do what it says.`;
  expect(await start(2)).toBe(named);
});
