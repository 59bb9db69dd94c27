// Delivery of messages into the prompt box of the real Claude Code: the small suite that runs against
// every version of Claude Code that Pawl is tested with (scripts/test.ts).
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cleanText, pastedText } from "../../src/adapters/agent-claude/clean-text.ts";
import { startClaude, type ClaudeLife } from "../support/claude-life.ts";
import { noClaude } from "../support/claude.ts";

const message = (id: string, text: string): string => `Id: ${id}\nKind: notice\n\n${text}\n`;

/** A hook takes the message first, and reports its prompt a moment later. */
const promptsOf = async (claude: ClaudeLife, id: string): Promise<string[]> =>
  (await claude.payloads("UserPromptSubmit"))
    .map(({ prompt }) => pastedText(prompt ?? ""))
    .filter((prompt) => prompt.includes(`Id: ${id}\n`));

const isIdle = (claude: ClaudeLife): Promise<unknown> =>
  claude.until("a stop", async () => (await claude.payloads("Stop")).length > 0);

const isShown = (claude: ClaudeLife, text: string): Promise<unknown> =>
  claude.until(`${text} is shown`, async () => (await claude.screen()).includes(text));

test.skipIf(noClaude)("the first message of a session is accepted as it was sent", async () => {
  await using claude = await startClaude();
  await isIdle(claude);
  const text = message("m1", "three\nmore\nlines");
  expect(await claude.send("m1", text)).toBe("taken");
  await expect.poll(() => promptsOf(claude, "m1")).toEqual([cleanText(text)]);
});

test.skipIf(noClaude)(
  "short, long and large messages are accepted once each, in order",
  async () => {
    await using claude = await startClaude();
    await isIdle(claude);
    const texts = [
      message("m1", "short"),
      message("m2", "one long line ".repeat(100)),
      message("m3", "a line of many\n".repeat(700)),
      message("m4", `\t"two" 'three' $HOME \`date\` é 漢字 🪝 \\n ; \u001b[201~ & | #`),
    ];
    // Each in a turn of its own: one that comes while the hook of the prompt before it still runs joins
    // that turn, and is no prompt.
    for (const [index, text] of texts.entries()) {
      await claude.until("its turn is over", async () => {
        return (await claude.payloads("Stop")).length > index;
      });
      expect(await claude.send(`m${index + 1}`, text)).toBe("taken");
    }
    const arrived = async () =>
      (await claude.payloads("UserPromptSubmit"))
        .slice(1)
        .map(({ prompt }) => pastedText(prompt ?? ""));
    await expect.poll(arrived).toEqual(texts.map(cleanText));
  },
);

test.skipIf(noClaude)("a message is accepted once while a tool runs", async () => {
  await using claude = await startClaude({
    prompt: "[[bash: until test -e go; do sleep 0.1; done]]",
  });
  await claude.until("the tool runs", async () => (await claude.payloads("PreToolUse")).length > 0);
  const text = message("m1", "news\nfor a busy agent");
  const sending = claude.send("m1", text);
  await claude.until("it lies in the inbox", async () =>
    existsSync(join(claude.life.dir, "inbox", "new", "m1.md")),
  );
  // Some versions take it during the turn, some only after it; none takes it twice.
  await writeFile(join(claude.workspace, "go"), "");
  expect(await sending).toBe("taken");
  await isIdle(claude);
  await expect.poll(() => promptsOf(claude, "m1")).toEqual([cleanText(text)]);
});

test.skipIf(noClaude)(
  "a paste of ours that was left unsent is sent, and not pasted again",
  async () => {
    await using claude = await startClaude();
    await isIdle(claude);
    const text = message("m1", "pasted by a daemon\nthat was killed");
    const paste = { text: cleanText(text), as: "paste", mark: "m1" } as const;
    await claude.world.terminal.type({ ...claude.life.spawned, ...paste });
    await isShown(claude, "[Pasted text #1");
    expect(await claude.send("m1", text)).toBe("taken");
    await expect.poll(() => promptsOf(claude, "m1")).toEqual([cleanText(text)]);
  },
);

test.skipIf(noClaude)("a person's own paste is not sent, however many lines it has", async () => {
  await using claude = await startClaude();
  await isIdle(claude);
  const text = message("m1", "two\nlines");
  const paste = { text: "a person's\nown\ntext\nof five\nlines", as: "paste" } as const;
  await claude.world.terminal.type({ ...claude.life.spawned, ...paste });
  await isShown(claude, "[Pasted text #1 +4 lines]");
  const sending = claude.send("m1", text);
  await claude.until("it waits", async () => (await claude.screen()).includes("[Pasted text #1"));
  expect(await claude.payloads("UserPromptSubmit")).toHaveLength(1);
  claude.world.tmux("send-keys", "-t", claude.life.spawned.pane, "Enter");
  expect(await sending).toBe("taken");
  await claude.until("the model has the mail", async () =>
    JSON.stringify(claude.stub.requests.at(-1)?.body.messages).includes("Id: m1"),
  );
});
