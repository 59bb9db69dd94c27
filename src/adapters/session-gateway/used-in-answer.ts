// What an answer of a model says it has used, read while it passes by: events of a stream or one
// JSON document, cut anywhere. The bytes themselves are never changed.
import type { Tokens } from "../../core/usage.ts";
import { isObject } from "../../lib/json-object.ts";
import type { ProviderName } from "../../ports/session-gateway.ts";

/** Of the whole answer as far as it has come; each report replaces the one before. */
export type Counted = Tokens & { model: string | undefined };

type Fields = Readonly<Record<string, unknown>>;

/** A line or a document above this is passed on and not read. */
const READ_MAX_CHARS = 32 * 1024 * 1024;

/** Where the vendors put what a model says, thinks, and gives to tools. */
const WORDS = /"(?:text|thinking|partial_json|delta|content|arguments)": ?"((?:[^"\\]|\\.)*)"/g;

export class AnswerReader {
  readonly #provider: ProviderName;
  readonly #isStream: boolean;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #event: string[] = [];
  #isTooLong = false;
  #counted: Counted | undefined;
  #written = 0;

  constructor(provider: ProviderName, contentType: string | undefined) {
    this.#provider = provider;
    this.#isStream = /\btext\/event-stream\b/i.test(contentType ?? "");
  }

  /** Undefined until the answer has said something. */
  get counted(): Counted | undefined {
    return this.#counted;
  }

  /** Characters that the model wrote, roughly: of a stream its words alone, without what is around them. */
  get written(): number {
    return this.#written;
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  end(): void {
    this.#take(`${this.#decoder.decode()}${this.#isStream ? "\n\n" : ""}`);
    if (!this.#isStream && !this.#isTooLong) this.#read(this.#rest);
  }

  #take(text: string): void {
    this.#rest += text;
    if (!this.#isStream) this.#written += text.length;
    if (this.#rest.length > READ_MAX_CHARS) {
      this.#rest = "";
      this.#isTooLong = true;
    }
    if (!this.#isStream) return;
    // A CR at the end may be half of a CR LF: it waits for what follows.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (line !== "") {
      const data = /^data:? ?(?<value>.*)$/.exec(line)?.groups?.["value"];
      if (data !== undefined) this.#event.push(data);
      return;
    }
    if (this.#event.length > 0) this.#read(this.#event.join("\n"));
    this.#event = [];
  }

  #read(text: string): void {
    if (this.#isStream) {
      for (const [, words = ""] of text.matchAll(WORDS)) this.#written += words.length;
    }
    // Most events are a word of the model: they are not parsed.
    if (!text.includes('"usage')) return;
    const parsed = parse(text);
    for (const one of Array.isArray(parsed) ? parsed : [parsed]) {
      if (isObject(one)) this.#counted = READERS[this.#provider](one, this.#counted);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Reader = (fields: Fields, before: Counted | undefined) => Counted | undefined;

const NONE: Counted = { model: undefined, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** `message_start` has what was read, every `message_delta` all that was written so far. */
const messages: Reader = (fields, before = NONE) => {
  const message = objectOf(fields["message"]) ?? fields;
  const usage = objectOf(fields["usage"]) ?? objectOf(message["usage"]);
  if (usage === undefined) return before === NONE ? undefined : before;
  return {
    model: textOf(message["model"]) ?? before.model,
    input: numberOf(usage["input_tokens"]) ?? before.input,
    output: numberOf(usage["output_tokens"]) ?? before.output,
    cacheRead: numberOf(usage["cache_read_input_tokens"]) ?? before.cacheRead,
    cacheWrite: numberOf(usage["cache_creation_input_tokens"]) ?? before.cacheWrite,
  };
};

/** The events of Responses carry the response; those of Chat are chunks, of which the last counts. */
const responses: Reader = (fields, before) => {
  const response = objectOf(fields["response"]) ?? fields;
  const usage = objectOf(response["usage"]);
  if (usage === undefined) return before;
  const read = numberOf(usage["input_tokens"]) ?? numberOf(usage["prompt_tokens"]) ?? 0;
  const details =
    objectOf(usage["input_tokens_details"]) ?? objectOf(usage["prompt_tokens_details"]);
  const cacheRead = Math.min(read, numberOf(details?.["cached_tokens"]) ?? 0);
  return {
    model: textOf(response["model"]) ?? before?.model,
    input: read - cacheRead,
    output: numberOf(usage["output_tokens"]) ?? numberOf(usage["completion_tokens"]) ?? 0,
    cacheRead,
    cacheWrite: 0,
  };
};

const generate: Reader = (fields, before) => {
  const usage = objectOf(fields["usageMetadata"]);
  if (usage === undefined) return before;
  const read = numberOf(usage["promptTokenCount"]) ?? 0;
  const cacheRead = Math.min(read, numberOf(usage["cachedContentTokenCount"]) ?? 0);
  const written = numberOf(usage["candidatesTokenCount"]) ?? 0;
  return {
    model: textOf(fields["modelVersion"]) ?? before?.model,
    input: read - cacheRead + (numberOf(usage["toolUsePromptTokenCount"]) ?? 0),
    output: written + (numberOf(usage["thoughtsTokenCount"]) ?? 0),
    cacheRead,
    cacheWrite: 0,
  };
};

const READERS: Record<ProviderName, Reader> = {
  anthropic: messages,
  openai: responses,
  gemini: generate,
};

const objectOf = (value: unknown): Fields | undefined => (isObject(value) ? value : undefined);
const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
