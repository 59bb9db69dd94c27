// The driver against a program whose answers the test writes down, by method.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Driver, DriverEvent } from "../agent-host/driver.ts";
import { createAcpDriver } from "./acp-driver.ts";
import type { AcpSettings } from "./acp-settings.ts";

/** `says`: notified before the answer. `asks`: requested of the client first, its answer is said. */
type Answer = {
  result?: object;
  error?: object;
  says?: object[];
  asks?: object;
  exits?: true;
  hangs?: true;
};
type Answers = Record<string, Answer>;

const PROGRAM = `
import { createInterface } from "node:readline";
const answers = JSON.parse(process.argv[2]);
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const say = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
const text = (text) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
let pending;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === undefined) { say(text(JSON.stringify(result))); pending?.(); return; }
  if (id === undefined) return;
  const answer = answers[method];
  if (answer?.exits) {
    process.stderr.write("x".repeat(300_000) + "\\nout of memory\\n");
    process.exit(3);
  }
  if (answer?.hangs) return;
  const reply = () => {
    for (const update of answer?.says ?? []) say(update);
    if (answer === undefined) send({ id, error: { code: -32601, message: "Method not found" } });
    else if (answer.error) send({ id, error: answer.error });
    else send({ id, result: answer.result ?? {} });
  };
  if (answer?.asks === undefined) return reply();
  pending = reply;
  send({ id: 900, ...answer.asks });
});
`;

const SIGNED_OUT = { error: { code: -32_000, message: "Authentication required" } };
const text = (said: string) => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: said },
});
const user = (said: string) => ({
  sessionUpdate: "user_message_chunk",
  content: { type: "text", text: said },
});
const initialize = (change: object = {}): Answer => ({
  result: { protocolVersion: 1, agentCapabilities: {}, ...change },
});

const FINE: Answers = {
  initialize: initialize(),
  "session/new": { result: { sessionId: "s" } },
  "session/prompt": { says: [text("hello")], result: { stopReason: "end_turn" } },
};

function driverOf(
  answers: Answers,
  options: { settings?: AcpSettings; model?: string } = {},
): { driver: Driver; events: DriverEvent[] } {
  const dir = mkdtempSync(join(tmpdir(), "pawl-acp-"));
  const program = join(dir, "program.mjs");
  writeFileSync(program, PROGRAM);
  const events: DriverEvent[] = [];
  const driver = createAcpDriver({
    argv: [process.execPath, program, JSON.stringify({ ...FINE, ...answers })],
    env: {},
    workspace: dir,
    dir,
    model: options.model,
    settings: options.settings ?? {},
    onEvent: (event) => void events.push(event),
  });
  onTestFinished(async () => {
    await driver.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return { driver, events };
}

const BEGIN = { resume: undefined, history: false };
const tested = { title: "Gem", program: "gem", version: "1.2.0", install: "npm install -g gem" };

test("an agent that is not signed in needs a person, who is told how to sign in", async () => {
  const settings = { tested, signIn: "run `gem` and sign in" };
  const { driver } = driverOf({ "session/new": SIGNED_OUT }, { settings });
  await expect(driver.open(BEGIN)).rejects.toMatchObject({
    name: "NeedsPerson",
    message:
      "Gem is not signed in (Authentication required): run `gem` and sign in; then answer this question",
  });
});

test("an agent that Pawl does not know says itself how to sign in", async () => {
  const authMethods = [{ id: "a", name: "Log in", description: "Run `any login` in a terminal" }];
  const answers = { initialize: initialize({ authMethods }), "session/new": SIGNED_OUT };
  await expect(driverOf(answers).driver.open(BEGIN)).rejects.toThrow(
    "the agent is not signed in (Authentication required): Run `any login` in a terminal; then",
  );
});

test("an agent that speaks another version of the protocol needs a person", async () => {
  const { driver } = driverOf({ initialize: initialize({ protocolVersion: 0 }) });
  await expect(driver.open(BEGIN)).rejects.toMatchObject({
    name: "NeedsPerson",
    message: expect.stringContaining("speaks version 0 of the Agent Client Protocol"),
  });
});

test("an agent that is older than the tested version is warned about, and works", async () => {
  const agentInfo = { name: "gem", version: "1.1.9" };
  const answers = { initialize: initialize({ agentInfo }) };
  const { driver, events } = driverOf(answers, { settings: { tested } });
  expect(await driver.open(BEGIN)).toEqual({ conversation: "s", said: [] });
  expect(events).toEqual([
    { kind: "warning", text: expect.stringContaining("Gem 1.1.9 is older than 1.2.0") },
  ]);
});

test("a mode or a model that the agent does not offer needs a person", async () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
  const withModes = { "session/new": { result: { sessionId: "s", modes } } };
  const { driver } = driverOf(withModes, { settings: { mode: "yolo" } });
  await expect(driver.open(BEGIN)).rejects.toMatchObject({
    name: "NeedsPerson",
    message: "the agent does not offer mode yolo (it offers ask): change it in pawl.toml",
  });
  const other = driverOf({}, { settings: { chooseModel: true }, model: "big" });
  await expect(other.driver.open(BEGIN)).rejects.toThrow("does not offer model big");
});

test("an agent that cannot resume a conversation begins no other in its place", async () => {
  const { driver } = driverOf({});
  await expect(driver.open({ resume: "s", history: false })).rejects.toThrow(
    "this agent cannot resume a conversation",
  );
});

test("what users have said is read from a conversation that is loaded", async () => {
  const { driver, events } = driverOf({
    initialize: initialize({ agentCapabilities: { loadSession: true } }),
    "session/load": { says: [user("one"), text("answer"), user("two")] },
  });
  const { said } = await driver.open({ resume: "s", history: true });
  expect(said).toContain("one");
  expect(said).toContain("two");
  expect(events).toEqual([]);
});

test("a program that ends while it opens leaves its conversation to the next life", async () => {
  const { driver } = driverOf({ initialize: { exits: true } });
  await expect(driver.open(BEGIN)).rejects.toMatchObject({
    name: "ProgramEnded",
    message: expect.stringContaining("exit code 3: out of memory"),
  });
});

/** Opens it, and lets time pass once it waits for `timers` ends of it. */
async function openedAfter(driver: Driver, wait: { ms: number; timers: number }): Promise<unknown> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const failure = driver.open(BEGIN).catch((error: unknown) => error);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(wait.timers), { timeout: 20_000 });
  vi.advanceTimersByTime(wait.ms);
  return failure;
}

test("an error of the host's own while a conversation is opened leaves it to the next life", async () => {
  const modes = { currentModeId: "ask" };
  const withModes = { "session/new": { result: { sessionId: "s", modes } } };
  const { driver } = driverOf(withModes, { settings: { mode: "yolo" } });
  expect(await openedAfter(driver, { ms: 2_000, timers: 2 })).toMatchObject({
    name: "ProgramEnded",
    message: expect.stringContaining("TypeError"),
  });
});

test("a program that does not open a conversation in time leaves it to the next life", async () => {
  const { driver } = driverOf({ "session/new": { hangs: true } });
  expect(await openedAfter(driver, { ms: 600_000, timers: 1 })).toMatchObject({
    name: "ProgramEnded",
    message: "no conversation within 10 minutes",
  });
});

async function prompted(answers: Answers) {
  const { driver, events } = driverOf(answers);
  await driver.open(BEGIN);
  const accepted = vi.fn<() => void>();
  const end = await driver.prompt("Do it.", accepted);
  return { driver, events, end, accepted };
}

test("a prompt is accepted once, and its turn ends with the agent's word", async () => {
  const { end, accepted, events } = await prompted({});
  expect(end).toEqual({ kind: "ended" });
  expect(accepted).toHaveBeenCalledTimes(1);
  expect(events).toEqual([{ kind: "text", text: "hello" }]);
});

test("an error before the model has said a word is a prompt that was refused", async () => {
  const error = { code: -32_602, message: "no such session" };
  const refused = await prompted({ "session/prompt": { error } });
  expect(refused.end).toEqual({ kind: "refused", reason: "no such session" });
  const failed = await prompted({ "session/prompt": { says: [text("well")], error } });
  expect(failed.end).toEqual({ kind: "failed", reason: "no such session" });
  const signedOut = await prompted({ "session/prompt": SIGNED_OUT });
  expect(signedOut.end).toMatchObject({ kind: "refused" });
});

test("a limit is no refusal: the conversation holds the prompt", async () => {
  const error = { code: -32_603, message: "429", data: { errorKind: "rate_limit" } };
  const { end } = await prompted({ "session/prompt": { error } });
  expect(end).toMatchObject({ kind: "limited", until: undefined });
});

test("a steering request that is refused leaves the message to the next turn", async () => {
  const { driver } = driverOf({
    initialize: initialize({ _meta: { steering: { supported: true } } }),
    "_session/steering": { error: { code: -32_603, message: "busy" } },
  });
  await driver.open(BEGIN);
  expect(await driver.steer?.("news")).toBe(false);
  expect(await driver.prompt("news", () => undefined)).toEqual({ kind: "ended" });
});

test("a permission is asked for, and the choice of a person reaches the agent", async () => {
  const options = [
    { optionId: "y", name: "Allow", kind: "allow_once" },
    { optionId: "n", name: "Reject", kind: "reject_once" },
  ];
  const params = {
    sessionId: "s",
    toolCall: { toolCallId: "t", title: "Shell", rawInput: { command: "ls" } },
    options,
  };
  const asks = { method: "session/request_permission", params };
  const { driver, events } = driverOf({
    "session/prompt": { asks, result: { stopReason: "end_turn" } },
  });
  await driver.open(BEGIN);
  const turn = driver.prompt("Do it.", () => undefined);
  const asked = {
    kind: "question",
    id: "ask-1",
    text: "The agent asks for permission: Shell: ls",
    choices: ["Allow", "Reject"],
  };
  await vi.waitFor(() => expect(events).toContainEqual(asked), { timeout: 20_000 });
  await driver.answer("ask-1", 1);
  await turn;
  expect(JSON.stringify(events)).toContain('\\"optionId\\":\\"n\\"');
});
