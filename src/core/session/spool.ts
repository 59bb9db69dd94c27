// What an agent's hooks say through the spool: `{v: 1, kind, at, …}`, one file each
// (`at` is the writer's own clock: nothing is decided by it). Every process of the session can
// write there, so everything is checked and bounded here; what makes no sense is refused with a
// reason and never stops anything.
import { parseObject } from "../../lib/json-object.ts";
import { BODY_MAX, PRIORITIES, SUBJECT_MAX, type Priority } from "../mail/letter.ts";
import { tokensOf, type Tokens, type UsageDetail } from "../usage.ts";
import { readAsk, type VaultAsk } from "../vault/ask.ts";
import { SpoolFields } from "./spool-fields.ts";
import { WORK_PHASES, type TestsStatus, type WorkPhase } from "./hook.ts";

export type SpoolEvent =
  /** Its hooks work. */
  | { kind: "started" }
  /** A hook noticed that no daemon was there for so many seconds (WITNESS_PING). */
  | { kind: "ping"; silent: number }
  /** A tool was used; `file` is what it wrote, `failed` how it went. */
  | { kind: "tool"; tool: string; summary: string; file: string | undefined }
  /** The turn is over; this many tasks continue in the background. */
  | { kind: "stop"; background: number }
  /** By its agent's own account it waits for a prompt, though no hook has said so. */
  | { kind: "idle" }
  /** A prompt was accepted; with `id` it confirms that message. */
  | { kind: "prompt"; id: string | undefined }
  | { kind: "context"; percent: number }
  | { kind: "compact" }
  | { kind: "statusline"; clock: string; percent: number | undefined }
  /** A permission dialog or question of the agent's own. */
  | { kind: "question"; id: string; text: string; choices: string[] }
  /** That question was answered at the terminal. */
  | { kind: "answered"; id: string }
  /**
   * What this life has used so far, all in all. `requests`: to its model, where the session's gateway
   * counts them.
   */
  | ({ kind: "usage"; tokens: number; usd: number; requests?: number } & UsageDetail)
  /** The session's network proxy refused to reach this host. */
  | { kind: "refused-host"; host: string; why: string }
  /** The account's usage limit, or an API that refuses. */
  | { kind: "limit"; until: number | undefined; reason: string }
  /** For so many seconds no word of the model has come, in a turn and with no tool at work. */
  | { kind: "waiting"; silent: number }
  /** What a person should know of how this life goes. */
  | { kind: "warning"; text: string }
  | {
      kind: "hook";
      workPhase: WorkPhase | undefined;
      summary: string | undefined;
      files: string[];
      tests: TestsStatus | undefined;
      instructions: string | undefined;
    }
  /** The agent sends a letter; an answer (`replyTo`) needs no address. */
  | {
      kind: "mail";
      to?: string;
      replyTo?: string;
      subject: string;
      body: string;
      priority: Priority;
    }
  | { kind: "mail-ack"; id: string }
  /** It asks for a dangerous action, which goes through the vault. */
  | { kind: "vault"; ask: VaultAsk }
  /**
   * A person is needed; the session keeps waiting. `unusable`: its agent cannot work before that (it is
   * not signed in, or too old), so that another agent may continue instead.
   */
  | { kind: "help"; text: string; unusable?: true };

export type ParsedSpool = { kind: "event"; event: SpoolEvent } | { kind: "refused"; why: string };

const TEXT_MAX = 64 * 1024;
const WORD_MAX = 200;
const SENTENCE_MAX = 2_000;

export function parseSpool(text: string): ParsedSpool {
  if (text.length > TEXT_MAX) return refused(`larger than ${TEXT_MAX / 1024} KB`);
  const all = parseObject(text);
  if (all === undefined) return refused("not a JSON object");
  if (all["v"] !== 1) return refused(`version ${show(all["v"])} is not known`);
  const { kind, at } = all;
  if (at !== undefined && (typeof at !== "number" || !Number.isFinite(at))) {
    return refused("`at` is not a number");
  }
  if (typeof kind !== "string") return refused("`kind` is not a string");
  const read = Object.hasOwn(READERS, kind) ? READERS[kind as SpoolEvent["kind"]] : undefined;
  if (read === undefined) return refused(`kind ${show(kind)} is not known`);
  const fields = new SpoolFields(all);
  const event = read(fields);
  return event !== undefined && fields.fault === undefined
    ? { kind: "event", event }
    : refused(`a field of ${kind}: ${fields.fault}`);
}

const refused = (why: string): ParsedSpool => ({ kind: "refused", why });
const show = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 60);

const word = (fields: SpoolFields, name: string) => fields.text(name, WORD_MAX);
const neededWord = (fields: SpoolFields, name: string) => fields.neededText(name, WORD_MAX);
const sentence = (fields: SpoolFields, name: string) => fields.text(name, SENTENCE_MAX);

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const isAmount = (value: number): boolean => value >= 0;
const isPercent = (value: number): boolean => value >= 0 && value <= 100;
const COUNT = "a whole number that is not negative";
const PERCENT = "a number from 0 to 100";

/** What a reader makes of fields that are wrong is thrown away: `fault` says so. */
const READERS: { [K in SpoolEvent["kind"]]: (fields: SpoolFields) => SpoolEvent | undefined } = {
  started: () => ({ kind: "started" }),
  ping: (fields) => ({ kind: "ping", silent: fields.neededNumber("silent", COUNT, isCount) }),
  tool: (fields) => ({
    kind: "tool",
    tool: neededWord(fields, "tool"),
    summary: sentence(fields, "summary") ?? "",
    file: word(fields, "file"),
  }),
  stop: (fields) => ({
    kind: "stop",
    background: fields.number("background", COUNT, isCount) ?? 0,
  }),
  idle: () => ({ kind: "idle" }),
  prompt: (fields) => ({ kind: "prompt", id: word(fields, "id") }),
  context: (fields) => ({
    kind: "context",
    percent: fields.neededNumber("percent", PERCENT, isPercent),
  }),
  compact: () => ({ kind: "compact" }),
  statusline: (fields) => {
    const clock = neededWord(fields, "clock");
    if (!/^\d\d:\d\d:\d\d$/.test(clock)) fields.refuse("clock", "a time such as 09:05:00");
    const percent = fields.number("context", PERCENT, isPercent);
    return { kind: "statusline", clock, percent };
  },
  question: (fields) => {
    const text = fields.neededText("text", SENTENCE_MAX);
    const choices = fields.list("choices", WORD_MAX);
    return { kind: "question", id: word(fields, "id") ?? text, text, choices };
  },
  answered: (fields) => ({ kind: "answered", id: neededWord(fields, "id") }),
  limit: (fields) => {
    const until = fields.number("until", "a time in seconds", () => true);
    const reason = sentence(fields, "reason") ?? "usage limit";
    return { kind: "limit", until: until === undefined ? undefined : asMs(until), reason };
  },
  waiting: (fields) => ({
    kind: "waiting",
    silent: fields.neededNumber("silent", COUNT, isCount),
  }),
  warning: (fields) => ({ kind: "warning", text: fields.neededText("text", SENTENCE_MAX) }),
  usage: usageOf,
  "refused-host": (fields) => ({
    kind: "refused-host",
    host: neededWord(fields, "host"),
    why: sentence(fields, "why") ?? "",
  }),
  hook: (fields) => ({
    kind: "hook",
    workPhase: fields.oneOf("work_phase", WORK_PHASES),
    summary: sentence(fields, "summary"),
    files: fields.list("files", WORD_MAX),
    tests: fields.oneOf("tests_status", TESTS),
    instructions: sentence(fields, "instructions"),
  }),
  vault: (fields) => {
    const ask = readAsk(fields.all);
    if (ask !== undefined) return { kind: "vault", ask };
    fields.refuse("action", VAULT);
    return undefined;
  },
  mail: mailOf,
  "mail-ack": (fields) => ({ kind: "mail-ack", id: neededWord(fields, "id") }),
  help: (fields) => ({
    kind: "help",
    text: fields.neededText("text", SENTENCE_MAX),
    ...(fields.all["unusable"] === true ? { unusable: true as const } : {}),
  }),
};

const TESTS: readonly TestsStatus[] = ["passed", "failed", "unknown"];
const VAULT = "an action with `id`, `what`, `risk` and `reversible` beside it (see docs/vault.md)";

function usageOf(fields: SpoolFields): SpoolEvent {
  const requests = fields.number("requests", COUNT, isCount);
  const model = word(fields, "model");
  const parts = partsOf(fields);
  const tokens = fields.number("tokens", COUNT, isCount);
  return {
    kind: "usage",
    tokens: tokens ?? (parts === undefined ? 0 : tokensOf(parts)),
    usd: fields.number("usd", "an amount that is not negative", isAmount) ?? 0,
    ...(requests === undefined ? {} : { requests }),
    ...(model === undefined ? {} : { model }),
    ...(parts === undefined ? {} : { parts }),
  };
}

/** Undefined where an agent tells none of them. */
function partsOf(fields: SpoolFields): Tokens | undefined {
  const count = (name: string) => fields.number(name, COUNT, isCount);
  const input = count("input_tokens");
  const output = count("output_tokens");
  const cacheRead = count("cache_read_tokens");
  const cacheWrite = count("cache_write_tokens");
  const isTold = [input, output, cacheRead, cacheWrite].some((one) => one !== undefined);
  if (!isTold) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: cacheRead ?? 0,
    cacheWrite: cacheWrite ?? 0,
  };
}

function mailOf(fields: SpoolFields): SpoolEvent {
  const to = word(fields, "to");
  const replyTo = word(fields, "reply_to");
  return {
    kind: "mail",
    ...(to === undefined ? {} : { to }),
    ...(replyTo === undefined ? {} : { replyTo }),
    subject: fields.neededText("subject", SUBJECT_MAX),
    body: fields.text("body", BODY_MAX) ?? "",
    priority: fields.oneOf("priority", PRIORITIES) ?? "normal",
  };
}

/** Shells count seconds; no instant of ours in milliseconds is that small. */
const asMs = (time: number): number => (time < 100_000_000_000 ? time * 1000 : time);
