import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createUsageReader } from "./transcript.ts";

const ID = "b4810646-ebf0-4a2b-bcc1-d6f7035352d1";
const SINCE = Date.parse("2026-11-15T10:00:00.000Z");
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-usage-"));
  await mkdir(join(root, ".claude", "projects", "p", ID, "subagents"), { recursive: true });
  await writeFile(join(root, "conversation"), `new ${ID}\n`);
});
afterEach(() => rm(root, { recursive: true }));

const line = (id: string, change: Record<string, unknown> = {}): string =>
  JSON.stringify({
    type: "assistant",
    isSidechain: false,
    timestamp: "2026-11-15T11:00:00.000Z",
    message: {
      id,
      model: "opus",
      usage: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 8 },
    },
    ...change,
  });

const write = (name: string, lines: string[]): Promise<void> =>
  writeFile(join(root, ".claude", "projects", "p", name), `${lines.join("\n")}\n`);

const usage = () => createUsageReader()({ dir: root, env: { HOME: root }, since: SINCE });
const user = '{"type":"user","message":{"role":"user","content":"hi"}}';

test("a message of several lines counts once", async () => {
  await write(`${ID}.jsonl`, [user, line("m1"), line("m1"), line("m2")]);
  await writeFile(join(root, "cost"), "0.4\n");
  expect(await usage()).toEqual([
    {
      day: "2026-11-15",
      model: "opus",
      sidechain: false,
      input: 20,
      output: 4,
      cacheRead: 16,
      cacheWrite: 0,
      costUsd: 0.4,
    },
  ]);
});

test("what agents of the agent used is told apart, and shares the cost", async () => {
  await write(`${ID}.jsonl`, [user, line("m1")]);
  await write(join(ID, "subagents", "agent-1.jsonl"), [line("m2", { isSidechain: true })]);
  await writeFile(join(root, "cost"), "1\n");
  const rows = await usage();
  expect(rows.map(({ sidechain, costUsd }) => [sidechain, costUsd])).toEqual([
    [false, 0.5],
    [true, 0.5],
  ]);
});

test("turns of an earlier life in the same conversation do not count again", async () => {
  const early = line("m0", { timestamp: "2026-11-15T09:00:00.000Z" });
  await write(`${ID}.jsonl`, [user, early, line("m1"), "not json", ""]);
  expect(await usage()).toMatchObject([{ input: 10 }]);
});

test("a life without a conversation or transcript has used nothing", async () => {
  expect(await usage()).toEqual([]);
  await rm(join(root, "conversation"));
  expect(await usage()).toEqual([]);
});

test("what is new is added to what was read before, and the last line of a message counts", async () => {
  const read = createUsageReader();
  const now = () => read({ dir: root, env: { HOME: root }, since: SINCE });
  await write(`${ID}.jsonl`, [user, line("m1")]);
  expect(await now()).toMatchObject([{ input: 10 }]);
  const more = { id: "m1", model: "opus", usage: { input_tokens: 15 } };
  const path = join(root, ".claude", "projects", "p", `${ID}.jsonl`);
  await appendFile(
    path,
    `${line("m1", { message: more })}\n${line("m2")}\n${line("m3").slice(0, 20)}`,
  );
  expect(await now()).toMatchObject([{ input: 25 }]);
  await write(`${ID}.jsonl`, [user, line("m9")]);
  expect(await now()).toMatchObject([{ input: 10 }]);
});
