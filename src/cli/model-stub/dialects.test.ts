import { expect, test } from "vitest";
import { startModelStub } from "./server.ts";

async function ask(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const stub = await startModelStub();
  try {
    const answer = await fetch(`${stub.url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  } finally {
    await stub.close();
  }
}

const responses = (input: unknown[]) =>
  ask("/v1/responses", { model: "m", input, tools: [{ type: "function", name: "exec_command" }] });
const said = (text: string) => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text }],
});

const gemini = (...texts: string[]) =>
  ask("/v1beta/models/gemini-x:streamGenerateContent?alt=sse", {
    contents: texts.map((text) => ({ role: "user", parts: [{ text }] })),
    tools: [{ functionDeclarations: [{ name: "run_shell_command" }] }],
  });

test("a script reaches Codex in the words of the Responses API", async () => {
  const call = await responses([said("[[bash: make]]"), said("<environment_context>x")]);
  expect(call.text).toContain(String.raw`"name":"exec_command","arguments":"{\"cmd\":\"make\",`);
  const done = { type: "function_call_output", call_id: "c", output: "made" };
  const end = await responses([said("[[bash: make]]"), { type: "function_call" }, done]);
  expect(end.text).toContain("Tool finished (ok): made");
  expect(end.text).toContain("response.completed");
  expect(end.text).not.toContain("function_call");
});

test("a script reaches Gemini CLI in the words of the Gemini API", async () => {
  const { text } = await gemini("<session_context>here", "[[bash: make]] [[usage: 70 7]]");
  expect(JSON.parse(text.slice("data: ".length))).toMatchObject({
    candidates: [
      {
        content: {
          parts: [
            { text: "Running the tool." },
            { functionCall: { name: "run_shell_command", args: { command: "make" } } },
          ],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 70, candidatesTokenCount: 7 },
  });
});

test("errors look as in each API", async () => {
  const limited = "[[error: 429 usage_limit_reached too many]]";
  expect(await responses([said(limited)])).toEqual({
    status: 429,
    text: '{"error":{"message":"too many","type":"usage_limit_reached","code":"usage_limit_reached"}}',
  });
  expect(await gemini(limited)).toEqual({
    status: 429,
    text: '{"error":{"code":429,"message":"too many","status":"RESOURCE_EXHAUSTED"}}',
  });
});
