// A transcript is a story in a text file: what happens, `----`, what must come of it, an empty
// line. This file only takes it apart and puts it together again.
export type Block =
  | { kind: "prose"; text: string }
  | { kind: "scene"; lines: string[]; expected: string };

const RULE = "----";

export function parseTranscript(text: string): Block[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      const rule = lines.indexOf(RULE);
      if (rule === -1 && lines.every((line) => line.startsWith("#"))) {
        return { kind: "prose", text: paragraph };
      }
      const happens = rule === -1 ? lines : lines.slice(0, rule);
      const expected = rule === -1 ? "" : lines.slice(rule + 1).join("\n");
      return { kind: "scene", lines: happens, expected };
    });
}

export function formatTranscript(blocks: Block[]): string {
  const paragraphs = blocks.map((block) =>
    block.kind === "prose" ? block.text : [...block.lines, RULE, block.expected].join("\n"),
  );
  return `${paragraphs.join("\n\n")}\n`;
}

export type Command = { words: string[]; options: Record<string, string>; line: string };

/** `agent writes escalate reason="Which one?"` → words and options; a comment is no command. */
export function parseCommand(line: string): Command | undefined {
  if (line.startsWith("#") || line.trim() === "") return undefined;
  const command: Command = { words: [], options: {}, line };
  for (const [, key, quoted, bare = ""] of line.matchAll(
    /(?:(\w+)=)?(?:("(?:[^"\\]|\\.)*")|(\S+))/g,
  )) {
    const value = quoted === undefined ? bare : (JSON.parse(quoted) as string);
    if (key === undefined) command.words.push(value);
    else command.options[key] = value;
  }
  return command;
}
