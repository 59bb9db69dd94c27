// The agent port of an agent that a host drives: how its host is started, which conversation it
// resumes, and what of the life before it is uncertain.
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseObject } from "../../../lib/json-object.ts";
import type { Agent, Launch, LaunchRequest } from "../../../ports/agent.ts";
import { readUntrusted } from "../untrusted-file.ts";
import { writeWhole } from "../write-whole.ts";
import { endedIn, PROMPT, uncertainIn, type Uncertain } from "./deliveries.ts";
import { CONVERSATION } from "./open-session.ts";
import { messagesIn } from "./opening.ts";
import { copyTexts } from "./uncertain-text.ts";

export const HOST_FILE = "host.json";
const FILE_MAX_BYTES = 1024 * 1024;
const PROMPT_MAX_BYTES = 16 * 1024 * 1024;

/** No token for so long, and well before people are warned: the agent waits for its model. */
const SILENCE_MS = 2 * 60_000;

export type HostFile = {
  argv: string[];
  workspace: string;
  model: string | undefined;
  settings: Record<string, unknown>;
  resume:
    | { dir: string; conversation: string; uncertain: Uncertain[]; ended?: string[] }
    | undefined;
  silenceMs: number;
};

export type HostedProgram = {
  /** The host's own file: see `hostProgram`. */
  host: string;
  /** The program with its arguments, from the user's words. */
  argv: (request: LaunchRequest) => string[];
  env?: (request: LaunchRequest) => Record<string, string>;
  settings?: (request: LaunchRequest) => Record<string, unknown>;
  warnings?: (request: LaunchRequest) => Promise<string[]> | string[];
  /** A small file of its driver, which each life of a conversation leaves to the next. */
  handsOn?: string;
};

/** Beside the code that names it, as a source or (scripts/build.ts) as a program of the bundle. */
export function hostProgram(name: string, besideUrl: string): string {
  const isSource = besideUrl.endsWith(".ts");
  return fileURLToPath(new URL(`${name}.${isSource ? "ts" : "js"}`, besideUrl));
}

export function hostedAgent(
  program: HostedProgram,
): Pick<Agent, "confirms" | "hosted" | "launch" | "conversation"> {
  return {
    confirms: true,
    hosted: true,
    launch: (request) => launch(program, request),
    conversation: ({ dir }) => leftConversation(dir),
  };
}

async function launch(program: HostedProgram, request: LaunchRequest): Promise<Launch> {
  const { dir, workspace, agent, resume } = request;
  const from = resume === undefined ? undefined : join(dirname(dir), resume);
  const conversation = from === undefined ? undefined : await conversationIn(from);
  const file: HostFile = {
    argv: program.argv(request),
    workspace,
    model: agent.model,
    settings: program.settings?.(request) ?? {},
    resume:
      from === undefined || conversation === undefined
        ? undefined
        : {
            dir: from,
            conversation,
            uncertain: await copyTexts(await unresolvedIn(from), dir),
            ended: await saidIn(from),
          },
    silenceMs: Math.min(SILENCE_MS, Math.ceil(request.quietMs / 2)),
  };
  if (file.resume !== undefined) await handOn(program.handsOn, file.resume.dir, dir);
  await writeWhole(join(dir, HOST_FILE), `${JSON.stringify(file, undefined, 2)}\n`);
  return {
    argv: [process.execPath, "--disable-warning=ExperimentalWarning", program.host, dir],
    env: program.env?.(request) ?? {},
    warnings: (await program.warnings?.(request)) ?? [],
  };
}

/** Not by the host, which may never come to it: the life after this one looks no further back. */
async function handOn(name: string | undefined, from: string, to: string): Promise<void> {
  if (name === undefined) return;
  const text = await readUntrusted(join(from, name), FILE_MAX_BYTES);
  if (text !== undefined) await writeWhole(join(to, name), text);
}

/** The folder of the life whose conversation goes on, by its name. */
async function leftConversation(dir: string): Promise<string | undefined> {
  if ((await conversationIn(dir)) === undefined) return undefined;
  const sent = await uncertainIn(dir);
  if (sent === undefined) return (await hostFileIn(dir))?.resume && basename(dir);
  // Of the first prompt it is not known whether it arrived: a new conversation says it once.
  const isDoubtful = sent.some(({ id, accepted }) => id === PROMPT && !accepted);
  const isFirst = (await hostFileIn(dir))?.resume === undefined;
  return isDoubtful && isFirst ? undefined : basename(dir);
}

/** A life that ended before its program had opened the conversation leaves its predecessor's. */
export async function conversationIn(dir: string): Promise<string | undefined> {
  const text = await readUntrusted(join(dir, CONVERSATION), FILE_MAX_BYTES);
  if (text === undefined) return (await hostFileIn(dir))?.resume?.conversation;
  const id = parseObject(text)?.["id"];
  return typeof id === "string" ? id : undefined;
}

async function unresolvedIn(dir: string): Promise<Uncertain[]> {
  const own = await uncertainIn(dir);
  if (own !== undefined) return own;
  return (await hostFileIn(dir))?.resume?.uncertain ?? [];
}

/** Messages that it has said for certain, by themselves or within its prompt. */
async function saidIn(dir: string): Promise<string[]> {
  const items = await endedIn(dir);
  // Its prompt left these out: the daemon may not have heard of them yet.
  const before = (await hostFileIn(dir))?.resume?.ended ?? [];
  const within = items.map(async ({ id, file }) =>
    id === PROMPT || id === file
      ? messagesIn((await readUntrusted(file, PROMPT_MAX_BYTES)) ?? "")
      : [id],
  );
  return [...new Set([...before, ...(await Promise.all(within)).flat()])];
}

export async function hostFileIn(dir: string): Promise<HostFile | undefined> {
  const text = await readUntrusted(join(dir, HOST_FILE), FILE_MAX_BYTES);
  // Written by `launch` alone: an agent that changes it harms its own next life.
  return parseObject(text ?? "") as HostFile | undefined;
}
