// Messages typed into the real Claude Code: they arrive as they were meant, once each, and never
// where they must not. Defect 21 of the peers: pasted but never accepted, "delivered" all the same.
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { cleanText } from "../../src/adapters/agent-claude/clean-text.ts";
import { permissionText, showsQuestion } from "../../src/adapters/agent-claude/shows-question.ts";
import type { Question } from "../../src/core/session/evidence.ts";
import { startClaude, type ClaudeLife } from "../support/claude-life.ts";
import { noClaude } from "../support/claude.ts";

/** The load takes all that is left of the machine: as few as show it. */
const PROMPTS = 15;
const BUSY_LOOPS = 3;

const message = (id: string, text: string): string => `Id: ${id}\nKind: notice\n\n${text}\n`;

const prompts = async (claude: ClaudeLife): Promise<string[]> =>
  (await claude.payloads("UserPromptSubmit")).map(({ prompt }) => prompt ?? "");

const isIdle = (claude: ClaudeLife): Promise<unknown> =>
  claude.until("a stop", async () => (await claude.payloads("Stop")).length > 0);

test.skipIf(noClaude)("10 KB of lines, quotes, tabs and emoji arrive as intended", async () => {
  await using claude = await startClaude();
  await isIdle(claude);
  const line = `\t"two" 'three' $HOME \`date\` é 漢字 🪝 \\n ; \u001b[201~ & | #\r\n`;
  const text = message("m1", line.repeat(Math.ceil(10_240 / line.length)));
  expect(await claude.send("m1", text)).toBe("taken");
  const arrived = (await prompts(claude)).filter((prompt) => prompt.startsWith("Id: m1"));
  expect(arrived).toEqual([cleanText(text)]);
  expect(arrived[0]?.length).toBeGreaterThan(10_000);
});

test.skipIf(noClaude)(
  `${PROMPTS} messages under load: all confirmed, none twice`,
  async () => {
    await using claude = await startClaude();
    await isIdle(claude);
    const loops = Array.from({ length: BUSY_LOOPS }, () =>
      spawn("sh", ["-c", "while :; do :; done"]),
    );
    const ids = Array.from({ length: PROMPTS }, (_, index) => `m${index + 1}`);
    try {
      for (const id of ids)
        expect(await claude.send(id, message(id, "line\nanother"))).toBe("taken");
    } finally {
      for (const loop of loops) loop.kill("SIGKILL");
    }
    const arrived = (await prompts(claude)).filter((prompt) => prompt.startsWith("Id: "));
    expect(arrived).toEqual(ids.map((id) => cleanText(message(id, "line\nanother"))));
  },
  600_000,
);

test.skipIf(noClaude)("a person's half-typed line is neither sent nor lost", async () => {
  await using claude = await startClaude();
  await isIdle(claude);
  const { pane } = claude.life.spawned;
  claude.world.tmux("send-keys", "-t", pane, "-l", "half a thought");
  await claude.until("the line is shown", async () =>
    (await claude.screen()).includes("half a thought"),
  );
  const sending = claude.send("m1", message("m1", "news"));
  await claude.until("it has been looked at", async () => true);
  expect(await prompts(claude)).toHaveLength(1);
  // The person finishes: the unread mail joins that turn, and is not typed again.
  claude.world.tmux("send-keys", "-t", pane, "Enter");
  expect(await sending).toBe("taken");
  expect(await prompts(claude)).toEqual(["Say hello.", "half a thought"]);
  await claude.until("the model has the mail", async () =>
    JSON.stringify(claude.stub.requests.at(-1)?.body.messages).includes("Id: m1"),
  );
});

test.skipIf(noClaude)("nothing is typed into a dialog but its answer", async () => {
  const claude = await startClaude({
    prompt: "[[bash: rm -rf nothing && echo allowed > out.txt]]",
    claude: { permissionMode: "default", allow: [] },
  });
  await using _ = claude;
  await claude.until("the dialog", async () => (await claude.screen()).includes("1. Yes"));
  const news = claude.send("m1", message("m1", "news"));
  const answer = "Id: m2\nKind: answer\n\nann answers:\n\nYes\n\nContinue the work.\n";
  expect(await claude.payloads("PostToolUse")).toEqual([]);
  const bash = (id: string, command: string): Question => {
    return { id, text: permissionText("Bash", command), choices: ["Yes", "No"] };
  };
  const asked = bash("q1", "rm -rf nothing && echo allowed > out.txt");
  const text = await claude.screen();
  expect(showsQuestion({ text, question: asked })).toBe(true);
  expect(showsQuestion({ text, question: bash("q2", "rm -rf everything") })).toBe(false);
  expect(await claude.send("m2", answer, asked)).toBe("answered");
  expect(await news).toBe("taken");
  await claude.until("the tool ran", async () => (await claude.payloads("PostToolUse")).length > 0);
  expect((await prompts(claude)).filter((prompt) => prompt.includes("Id: m1"))).toHaveLength(1);
  expect((await prompts(claude)).filter((prompt) => prompt.includes("Id: m2"))).toEqual([]);
});
