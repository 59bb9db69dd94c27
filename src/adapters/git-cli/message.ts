// Words at the end of a commit's message that programs read.

const TRAILER = /^[A-Za-z][A-Za-z0-9-]*: \S/;

/** Joins the trailers that the message ends with, else begins a paragraph; said once. */
export function withTrailer(message: string, trailer: string): string {
  const body = message.trimEnd();
  const paragraphs = body.split("\n\n");
  const last = paragraphs.at(-1)?.split("\n") ?? [];
  if (last.includes(trailer)) return `${body}\n`;
  const isTrailers = paragraphs.length > 1 && last.every((line) => TRAILER.test(line));
  return `${body}${isTrailers ? "\n" : "\n\n"}${trailer}\n`;
}
