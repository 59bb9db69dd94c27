// What the stub answers, decided by directives in the prompt, so that a test or a demo is written
// where it is read: in the issue. See docs/claude-code.md for the list. Pure.
import { everythingSaid, readTurn, type ModelRequest, type Turn } from "./conversation.ts";

export type Failure = {
  status: number;
  type: string;
  message: string;
  headers: Record<string, string>;
};

export type ToolCall = { name: string; input: Record<string, unknown> };

export type Reply = {
  text: string;
  tools: ToolCall[];
  usage: { input: number; output: number };
  slowMs: number;
  /** A file: without it there is no answer. */
  slowUntil: string | undefined;
  failure: Failure | undefined;
  /** The connection breaks, or an error arrives, in the middle of the stream. */
  broken: "drop" | "error" | undefined;
};

type Directive = { name: string; value: string };

const USAGE = { input: 1000, output: 20 };
const COMPACTION = /<analysis> block followed by a <summary> block/;

export function decide(request: ModelRequest, once: Set<string> = new Set()): Reply {
  const turn = readTurn(request);
  if (COMPACTION.test(turn.text)) return compaction(request);
  // Requests without tools are errands (titles, questions about a text), not the work.
  if ((request.tools ?? []).length === 0) return plain(valueOf(parse(turn.text), "text") ?? "stub");
  const script = scriptFor(turn, everythingSaid(request));
  const failure = failureIn(script, turn, once);
  const call = toolCalls(script, turn.known)[turn.step];
  return {
    ...plain(call === undefined ? finalText(script, turn) : "Running the tool."),
    tools: call === undefined ? [] : [call],
    usage: usageIn(script),
    slowMs: Number(valueOf(script, "slow") ?? 0),
    slowUntil: valueOf(script, "slow-until"),
    failure,
    broken: brokenIn(script),
  };
}

const plain = (text: string): Reply => ({
  text,
  tools: [],
  usage: USAGE,
  slowMs: 0,
  slowUntil: undefined,
  failure: undefined,
  broken: undefined,
});

/** Without these tags the program asks a second time. What is still to be done is kept. */
function compaction(request: ModelRequest): Reply {
  const left = everythingSaid(request).flatMap((text) => text.match(BLOCK) ?? []);
  const summary = [`STUB-SUMMARY of ${request.messages.length} messages`, ...new Set(left)];
  return plain(`<analysis>stub</analysis>\n<summary>${summary.join("\n")}</summary>`);
}

/** A message of Pawl is answered as the conversation laid down for its kind; all else by itself. */
function scriptFor(turn: Turn, said: string[]): Directive[] {
  const again = turn.text.includes("You are a continuation of")
    ? blocksFor(turn.text, "continuation").at(-1)
    : undefined;
  if (again !== undefined) return parse(again);
  const kind = eventIn(turn.text);
  const own = parse(withoutBlocks(turn.text));
  if (kind === undefined || own.length > 0) return own.length > 0 ? own : shellBlocks(turn.text);
  const laid = said.flatMap((text) => blocksFor(text, kind)).at(-1);
  if (laid !== undefined) return parse(laid);
  if (kind === "resume") return unfinished(said);
  if (kind === "landed") return [{ name: "bash", value: DONE }];
  const tag = BLOCK_BY_KIND[kind];
  return tag === undefined ? [] : blockOf(said, tag);
}

/** Which block of an issue for the script agent answers which message. */
const BLOCK_BY_KIND: Record<string, string> = {
  "ci-failed": "on-ci-failure",
  "tests-failed": "on-ci-failure",
  conflict: "on-conflict",
};

/** The protocol's own last step. */
const DONE = `printf 'PHASE:done\\n' > "$PAWL_PHASE_FILE"`;

const eventIn = (text: string): string | undefined =>
  /^Id: \S+\nKind: (\S+)/m.exec(text)?.[1] ??
  (text.includes("This conversation continues") ? "resume" : undefined);

const BLOCK = /\[\[on ([a-z-]+)\]\]([\s\S]*?)\[\[end\]\]/g;

const withoutBlocks = (text: string): string => text.replaceAll(BLOCK, "");

const blocksFor = (text: string, kind: string): string[] =>
  [...text.matchAll(BLOCK)].flatMap(([, name, body]) => (name === kind ? [body ?? ""] : []));

const parse = (text: string): Directive[] =>
  [...text.matchAll(/\[\[([a-z-]+)(?::\s*([\s\S]*?))?\]\]/g)].map(([, name, value]) => ({
    name: name ?? "",
    value: value ?? "",
  }));

/** Issues written for the script agent work too: their shell block is the work. */
function shellBlocks(text: string): Directive[] {
  const block = /```sh\n([\s\S]*?)```/.exec(text)?.[1];
  return block === undefined ? [] : [{ name: "bash", value: committing(block) }];
}

/** A life that was killed in the middle of a shell block does it again. */
function unfinished(said: string[]): Directive[] {
  const [task = ""] = said;
  return parse(withoutBlocks(task)).length > 0 ? [] : shellBlocks(task);
}

function blockOf(said: string[], tag: string): Directive[] {
  const pattern = new RegExp(`\`\`\`sh ${tag}\\n([\\s\\S]*?)\`\`\``, "g");
  const blocks = said.flatMap((text) => [...text.matchAll(pattern)]);
  const block = blocks.at(-1)?.[1];
  return block === undefined ? [] : [{ name: "bash", value: committing(block) }];
}

const committing = (block: string): string =>
  `${block.trim()}\ngit add -A && git commit -q -m "Issue $ISSUE" && printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"`;

const valueOf = (script: Directive[], name: string): string | undefined =>
  script.findLast((directive) => directive.name === name)?.value;

const toolCalls = (script: Directive[], known: string): ToolCall[] =>
  script.flatMap(({ name, value }): ToolCall[] => {
    if (name === "bash") return [bash(value)];
    if (name === "find") return findingOut(value, known);
    const [, tool, input] = /^(\S+)\s+([\s\S]*)$/.exec(value) ?? [];
    if (name !== "tool" || tool === undefined || input === undefined) return [];
    return [{ name: tool, input: JSON.parse(input) as Record<string, unknown> }];
  });

const bash = (command: string): ToolCall => ({
  name: "Bash",
  input: { command, description: "scripted" },
});

/** `[[find: WORDS | CMD]]`: as a model would, it looks only for what it does not know yet. */
function findingOut(value: string, known: string): ToolCall[] {
  const [words = "", ...command] = value.split("|");
  const isKnown = known.replaceAll(/\[\[[\s\S]*?\]\]/g, "").includes(words.trim());
  return isKnown ? [] : [bash(command.join("|").trim())];
}

function finalText(script: Directive[], { text, result }: Turn): string {
  const stated = valueOf(script, "text");
  if (stated !== undefined) return stated;
  if (result === undefined) return `Stub reply to: ${text.slice(-120)}`;
  return `Tool finished (${result.failed ? "error" : "ok"}): ${result.text.slice(0, 200)}`;
}

function usageIn(script: Directive[]): Reply["usage"] {
  const [input, output] = (valueOf(script, "usage") ?? "").split(/\s+/).map(Number);
  return input === undefined || input === 0 ? USAGE : { input, output: output ?? USAGE.output };
}

/** `[[error: 429 rate_limit_error words]]`, always or once; `[[header: name value]]` goes with it. */
function failureIn(script: Directive[], turn: Turn, once: Set<string>): Failure | undefined {
  const always = valueOf(script, "error");
  const single = valueOf(script, "error-once");
  const mark = `${turn.text}\n${single ?? ""}`;
  const stated = always ?? (single === undefined || once.has(mark) ? undefined : single);
  if (stated === undefined) return undefined;
  if (always === undefined) once.add(mark);
  const [status, type = "api_error", ...words] = stated.split(/\s+/);
  const headers = script.flatMap(({ name, value }) => {
    const [header, ...rest] = value.split(/\s+/);
    return name === "header" && header !== undefined ? [[header, rest.join(" ")]] : [];
  });
  return {
    status: Number(status),
    type,
    message: words.join(" ") || type,
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

function brokenIn(script: Directive[]): Reply["broken"] {
  if (valueOf(script, "drop") !== undefined) return "drop";
  return valueOf(script, "sse-error") === undefined ? undefined : "error";
}
