// What an agent's hooks say through the spool: `{v: 1, kind, at, …}`, one file each
// (`at` is the writer's own clock: nothing is decided by it). Every process of the session can
// write there, so everything is checked and bounded here; what makes no sense is refused with a
// reason and never stops anything.
import { parseObject } from "../../lib/json-object.ts";
import { BODY_MAX, PRIORITIES, SUBJECT_MAX, type Priority } from "../mail/letter.ts";
import { readAsk, type VaultAsk } from "../vault/ask.ts";
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
  /** What this life has used so far, all in all. */
  | { kind: "usage"; tokens: number; usd: number }
  /** The account's usage limit, or an API that refuses. */
  | { kind: "limit"; until: number | undefined; reason: string }
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
  /** A person is needed; the session keeps waiting. */
  | { kind: "help"; text: string };

export type ParsedSpool = { kind: "event"; event: SpoolEvent } | { kind: "refused"; why: string };

const TEXT_MAX = 64 * 1024;
const WORD_MAX = 200;
const SENTENCE_MAX = 2_000;
const LIST_MAX = 50;

type Fields = Record<string, unknown>;

export function parseSpool(text: string): ParsedSpool {
  if (text.length > TEXT_MAX) return refused(`larger than ${TEXT_MAX / 1024} KB`);
  const fields = parseObject(text);
  if (fields === undefined) return refused("not a JSON object");
  if (fields["v"] !== 1) return refused(`version ${show(fields["v"])} is not known`);
  const { kind, at } = fields;
  if (at !== undefined && (typeof at !== "number" || !Number.isFinite(at))) {
    return refused("`at` is not a number");
  }
  if (typeof kind !== "string") return refused("`kind` is not a text");
  const read = Object.hasOwn(READERS, kind) ? READERS[kind as SpoolEvent["kind"]] : undefined;
  if (read === undefined) return refused(`kind ${show(kind)} is not known`);
  const event = read(fields);
  return event === undefined
    ? refused(`a field of ${kind} is missing or wrong`)
    : { kind: "event", event };
}

const refused = (why: string): ParsedSpool => ({ kind: "refused", why });
const show = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 60);

/** Undefined from a reader means that a field is missing or wrong. */
const READERS: { [K in SpoolEvent["kind"]]: (fields: Fields) => SpoolEvent | undefined } = {
  started: () => ({ kind: "started" }),
  ping: (fields) => {
    const { silent } = fields;
    return isCount(silent) ? { kind: "ping", silent } : undefined;
  },
  tool: (fields) => {
    const tool = word(fields["tool"]);
    if (tool === undefined) return undefined;
    const summary = sentence(fields["summary"]) ?? "";
    return { kind: "tool", tool, summary, file: word(fields["file"]) };
  },
  stop: (fields) => {
    const background = fields["background"] ?? 0;
    return isCount(background) ? { kind: "stop", background } : undefined;
  },
  idle: () => ({ kind: "idle" }),
  prompt: (fields) => ({ kind: "prompt", id: word(fields["id"]) }),
  context: (fields) => {
    const percent = percentOf(fields["percent"]);
    return percent === undefined ? undefined : { kind: "context", percent };
  },
  compact: () => ({ kind: "compact" }),
  statusline: (fields) => {
    const { clock } = fields;
    if (typeof clock !== "string" || !/^\d\d:\d\d:\d\d$/.test(clock)) return undefined;
    return { kind: "statusline", clock, percent: percentOf(fields["context"]) };
  },
  question: (fields) => {
    const text = sentence(fields["text"]);
    if (text === undefined) return undefined;
    return {
      kind: "question",
      id: word(fields["id"]) ?? text,
      text,
      choices: list(fields["choices"]),
    };
  },
  answered: (fields) => {
    const id = word(fields["id"]);
    return id === undefined ? undefined : { kind: "answered", id };
  },
  limit: (fields) => {
    const { until } = fields;
    if (until !== undefined && (typeof until !== "number" || !Number.isFinite(until)))
      return undefined;
    const reason = sentence(fields["reason"]) ?? "usage limit";
    return { kind: "limit", until: until === undefined ? undefined : asMs(until), reason };
  },
  usage: (fields) => {
    const { tokens = 0, usd = 0 } = fields;
    return isCount(tokens) && isAmount(usd) ? { kind: "usage", tokens, usd } : undefined;
  },
  hook: hookOf,
  vault: (fields) => {
    const ask = readAsk(fields);
    return ask === undefined ? undefined : { kind: "vault", ask };
  },
  mail: mailOf,
  "mail-ack": (fields) => {
    const id = word(fields["id"]);
    return id === undefined ? undefined : { kind: "mail-ack", id };
  },
  help: (fields) => {
    const text = sentence(fields["text"]);
    return text === undefined ? undefined : { kind: "help", text };
  },
};

function hookOf(fields: Fields): SpoolEvent | undefined {
  const workPhase = WORK_PHASES.find((phase) => phase === fields["work_phase"]);
  if (fields["work_phase"] !== undefined && workPhase === undefined) return undefined;
  const { tests_status: tests } = fields;
  const known = tests === "passed" || tests === "failed" || tests === "unknown";
  if (tests !== undefined && !known) return undefined;
  return {
    kind: "hook",
    workPhase,
    summary: sentence(fields["summary"]),
    files: list(fields["files"]),
    tests: known ? tests : undefined,
    instructions: sentence(fields["instructions"]),
  };
}

function mailOf(fields: Fields): SpoolEvent | undefined {
  const { priority: written = "normal" } = fields;
  const priority = PRIORITIES.find((known) => known === written);
  const to = word(fields["to"]);
  const replyTo = word(fields["reply_to"]);
  const subject = text(fields["subject"], SUBJECT_MAX);
  if (priority === undefined || subject === undefined) return undefined;
  return {
    kind: "mail",
    ...(to === undefined ? {} : { to }),
    ...(replyTo === undefined ? {} : { replyTo }),
    subject,
    body: text(fields["body"], BODY_MAX) ?? "",
    priority,
  };
}

/** Shells count seconds; no instant of ours in milliseconds is that small. */
const asMs = (time: number): number => (time < 100_000_000_000 ? time * 1000 : time);

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;

const percentOf = (value: unknown): number | undefined =>
  typeof value === "number" && value >= 0 && value <= 100 ? value : undefined;

const word = (value: unknown): string | undefined => text(value, WORD_MAX);
const sentence = (value: unknown): string | undefined => text(value, SENTENCE_MAX);

function text(value: unknown, max: number): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, max) : undefined;
}

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, LIST_MAX).flatMap((item) => word(item) ?? []) : [];
