// Reads a conversation the way a model would: what was said last, by whom, and how far the turn has
// come. Its form is that of the Messages API; other dialects are translated to it. Knows nothing of
// scripts and answers nothing.
export type Block = {
  type: string;
  text?: string;
  content?: string | Block[];
  is_error?: boolean;
};

export type ModelMessage = { role: string; content: string | Block[] };

export type ModelRequest = {
  model: string;
  messages: ModelMessage[];
  tools?: { name: string }[];
  stream?: boolean;
  max_tokens?: number;
};

export type Turn = {
  /** What the user said last, without the reminders that the program adds. */
  text: string;
  /** What was known when it was said: everything users said and tools answered until then. */
  known: string;
  /** Tool calls made since then. */
  step: number;
  /** The result of the last one. */
  result: { text: string; failed: boolean } | undefined;
};

export function readTurn({ messages }: ModelRequest): Turn {
  const start = messages.findLastIndex(
    (message) => message.role === "user" && saidIn(message) !== "",
  );
  const begun = messages[start];
  const since = messages.slice(start + 1);
  const step = since.flatMap(blocksOf).filter((block) => block.type === "tool_use").length;
  const result = since
    .flatMap(blocksOf)
    .filter((block) => block.type === "tool_result")
    .at(-1);
  return {
    text: begun === undefined ? "" : saidIn(begun),
    known: messages
      .slice(0, start + 1)
      .flatMap(blocksOf)
      .map(wordsOf)
      .join("\n"),
    step,
    result:
      result === undefined
        ? undefined
        : { text: contentText(result), failed: result.is_error === true },
  };
}

/** Everything users said, oldest first. */
export const everythingSaid = ({ messages }: ModelRequest): string[] =>
  messages.filter((message) => message.role === "user").flatMap(textsOf);

/** After a failed turn the old prompt is sent again before the new one: the last text counts. */
const saidIn = (message: ModelMessage): string => textsOf(message).at(-1) ?? "";

const textsOf = (message: ModelMessage): string[] =>
  blocksOf(message)
    .filter((block) => block.type === "text")
    .map((block) => withoutReminders(block.text ?? ""))
    .filter((text) => text !== "");

const withoutReminders = (text: string): string =>
  text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, "").trim();

const blocksOf = ({ content }: ModelMessage): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

const wordsOf = (block: Block): string =>
  block.type === "tool_result" ? contentText(block) : (block.text ?? "");

function contentText({ content }: Block): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text ?? "").join("");
}
