// What a life says first. A life that resumes a conversation compares what the life before it may
// or may not have said (deliveries.ts) with what the conversation holds: what is missing is said
// now, and what is there is not said again.
import { PROMPT, type Item, type Uncertain } from "./deliveries.ts";

/**
 * `own`: what is left of this life's own prompt, as it is said; `found`: what the conversation holds
 * already.
 */
export type Opening = { text: string; own: string; items: Item[]; found: Item[] };

/** How much of a text must be found in the conversation. */
const HEAD = 200;

export function composeOpening(request: {
  /** This life's own prompt; `file`: where what is left of it will be. */
  prompt: { text: string; file: string };
  uncertain: readonly (Uncertain & { text: string })[];
  /** Messages that the life before has said for certain, whatever the daemon has heard of it. */
  ended: readonly string[];
  /** What users have said in the conversation; undefined where that cannot be told. */
  said: readonly string[] | undefined;
}): Opening {
  const { prompt, uncertain } = request;
  const said = request.said?.map(flat);
  let text = request.ended.reduce(withoutMessage, prompt.text);
  const missing: (Uncertain & { text: string })[] = [];
  const found: Item[] = [];
  for (const item of uncertain) {
    const isThere = said === undefined ? item.accepted : said.some((one) => holds(one, item));
    // Said with the earlier prompt, or again with it below: once is enough.
    if (isPrompt(item)) text = messagesIn(item.text).reduce(withoutMessage, text);
    if (isThere) {
      text = withoutMessage(text, item.id);
      found.push(asEarlier(item));
    } else if (!text.includes(heading(item.id))) missing.push(item);
  }
  return {
    text: [...missing.map((item) => item.text.trimEnd()), text].join("\n\n"),
    own: text,
    items: [...missing.map(asEarlier), { id: PROMPT, file: prompt.file }],
    found,
  };
}

/** This life has a prompt of its own. */
const asEarlier = ({ id, file }: Item): Item => ({ id: id === PROMPT ? file : id, file });

/** Of this kind are also the prompts of earlier lives, which are known by their files. */
const isPrompt = ({ id, file }: Item): boolean => id === PROMPT || id === file;

/** Messages are found by their own first lines, or by the heading they have within a prompt. */
function holds(said: string, { id, text }: { id: string; text: string }): boolean {
  if (said.includes(flat(text).slice(0, HEAD))) return true;
  return id !== PROMPT && new RegExp(`(^| )Id: ${escaped(id)} Kind: `).test(said);
}

// The section of a prompt that repeats what was not read yet (core/words/prompt.ts). A message is
// known by the form of its id: its text is as others wrote it, and may have any heading.

const SECTION = "\n## Messages for you, oldest first";
const MESSAGE_ID = /^m\d+$/;
/** The next message, or what follows the section: the protocol of an issue or of a task. */
const MESSAGE_END = /\n(?:### m\d+|## Phases: how you report progress|## Your answer)\n/;
const heading = (id: string): string => `\n### ${id}\n`;

/** The messages that a prompt repeats, by their ids. */
export const messagesIn = (prompt: string): string[] => {
  const start = prompt.indexOf(SECTION);
  if (start < 0) return [];
  return [...prompt.slice(start).matchAll(/^### (m\d+)$/gm)].flatMap(([, id]) => id ?? []);
};

/** Takes the message out of that section. */
export function withoutMessage(prompt: string, id: string): string {
  const section = prompt.indexOf(SECTION);
  const start = section < 0 ? -1 : prompt.indexOf(heading(id), section);
  if (start < 0 || !MESSAGE_ID.test(id)) return prompt;
  const next = prompt.slice(start + 1).search(MESSAGE_END);
  const end = next < 0 ? prompt.length : start + 1 + next;
  const rest = `${prompt.slice(0, start)}${prompt.slice(end)}`;
  return rest.replace(/\n## Messages for you, oldest first\s*(?=\n## |$)/, "");
}

const flat = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
