// A small program that speaks the Agent Client Protocol, for tests of delivery: `node acp-program.ts
// FOLDER [METHOD LOGIN]`. It refuses METHOD until the file LOGIN is there. Its conversations are files
// of FOLDER, a line for each prompt, and outlive it. It has no model: every prompt is answered with
// one word.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";

const [folder = ".", guarded, login = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

/** Between reading a prompt and keeping it: a crash in between loses it, as with real programs. */
const KEEP_MS = 10;

type Params = { sessionId?: string; prompt?: { text: string }[] };

const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const fileOf = (session: string): string => join(folder, `${session}.jsonl`);
const say = (sessionId: string, sessionUpdate: string, text: string): void =>
  send({
    method: "session/update",
    params: { sessionId, update: { sessionUpdate, content: { type: "text", text } } },
  });

async function answer(method: string, params: Params): Promise<object | undefined> {
  const { sessionId = "" } = params;
  switch (method) {
    case "initialize":
      return {
        protocolVersion: 1,
        agentCapabilities: { loadSession: true },
        authMethods: [{ id: "file", name: "File", description: "Write the login file" }],
      };
    case "session/new": {
      const session = randomUUID();
      writeFileSync(fileOf(session), "");
      return { sessionId: session };
    }
    case "session/load": {
      if (!existsSync(fileOf(sessionId))) return undefined;
      const lines = readFileSync(fileOf(sessionId), "utf8").split("\n").filter(Boolean);
      for (const line of lines) say(sessionId, "user_message_chunk", JSON.parse(line) as string);
      return {};
    }
    case "session/prompt": {
      const text = (params.prompt ?? []).map((block) => block.text).join("");
      await wait(KEEP_MS);
      appendFileSync(fileOf(sessionId), `${JSON.stringify(text)}\n`, { flush: true });
      say(sessionId, "agent_message_chunk", "ok ");
      return { stopReason: "end_turn" };
    }
    default:
      return undefined;
  }
}

const NO_METHOD = { code: -32_601, message: "Method not found" };
const SIGNED_OUT = { code: -32_000, message: "Log in first" };

async function handle(line: string): Promise<void> {
  const { id, method, params = {} } = JSON.parse(line) as Request;
  if (method === guarded && !existsSync(login)) {
    send({ id, error: SIGNED_OUT });
    return;
  }
  const result = await answer(method, params);
  if (id === undefined) return;
  send(result === undefined ? { id, error: NO_METHOD } : { id, result });
}

type Request = { id?: number; method: string; params?: Params };

// Requests are answered as they are done, not in the order in which they came.
createInterface({ input: process.stdin }).on("line", (line) => {
  handle(line).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
