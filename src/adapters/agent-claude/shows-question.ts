// Whether the dialog on Claude Code's screen is the one that a question was about: the command, the
// name of the file or the words of the question stand between the rule above the dialog and its
// choices. An answer to an earlier dialog must not permit a later one with the same choices.
import { basename } from "node:path";
import type { Question } from "../../core/session/evidence.ts";
import { dense, isRule } from "./screen.ts";

/** The end of a long text may be cut off on the screen. */
const COMPARED_MAX = 60;
const REDACTED = "[redacted]";
const FIRST_CHOICE = /^[\s│]*(?:❯\s*)?1\.\s/;
const PERMISSION = /^Claude Code asks whether it may use (?<tool>[^:]*): (?<what>[\s\S]*)$/;
const FILE_TOOLS = ["Edit", "MultiEdit", "NotebookEdit", "Read", "Write"];

/** The words of a permission that is asked; read again below. */
export const permissionText = (tool: string, what: string): string =>
  `Claude Code asks whether it may use ${tool}: ${what}`;

/** True also where the screen does not show the beginning of the dialog, or not its words. */
export function showsQuestion({ text, question }: { text: string; question: Question }): boolean {
  const lines = text.trimEnd().split("\n");
  const choice = lines.findLastIndex((line) => FIRST_CHOICE.test(line));
  const top = lines.slice(0, Math.max(choice, 0)).findLastIndex(isRule);
  const words = wordsShown(question);
  if (choice < 0 || top < 0 || words === undefined) return true;
  const dialog = plain(lines.slice(top + 1, choice).join("\n"));
  // A secret is on the screen, but not in the question.
  const [known = ""] = words.split(REDACTED, 1);
  return dialog.includes(plain(known).slice(0, COMPARED_MAX));
}

/** Without frames, and without the marks of Markdown: the screen shows what they mean. */
const plain = (text: string): string => dense(text).replaceAll(/[│`*_]/g, "");

/** Undefined where the dialog shows the call in words that are not known. */
function wordsShown({ text }: Question): string | undefined {
  const { tool, what } = PERMISSION.exec(text)?.groups ?? {};
  if (tool === undefined || what === undefined) return text;
  if (tool === "Bash") return what;
  return FILE_TOOLS.includes(tool) ? basename(what) : undefined;
}
