// What Claude Code's prompt box does to pasted text, done before it is typed: then its own report
// of the prompt can be compared with what was meant, exactly.

/** An escape sequence would end the paste early; the rest is removed by the box itself. */
const REMOVED = /(?!\n)[\p{Cc}\u200b\u2060\ufeff]/gu;

export function cleanText(text: string): string {
  const plain = text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replaceAll(REMOVED, "")
    .normalize("NFC")
    .trim();
  return submittable(plain);
}

/** A whole prompt that was pasted, as Claude Code reports it from 2.1.328 on: both tags have the same id. */
const PASTED =
  /^\s*<pasted_content id="(?<id>[^"]*)">\n(?<text>[^]*)\n<\/pasted_content id="\k<id>">\s*$/;

/** What was pasted, of a prompt that is nothing else. */
export const pastedText = (prompt: string): string =>
  PASTED.exec(prompt)?.groups?.["text"] ?? prompt;

/** Some first and last characters mean something else than text: a shell, a command, "more". */
function submittable(text: string): string {
  const lead = /^[!/]/.test(text) || /^(?:exit|quit)$/i.test(text) ? `Message: ${text}` : text;
  return lead.endsWith("\\") ? `${lead} .` : lead;
}
