// The front matter of a text: what stands between two lines of `---` at its beginning.

const FRONT = /^---[ \t]*\r?\n([\s\S]{0,10000}?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** `length`: of all of it, with its lines of `---`. */
export function frontMatterOf(body: string): { text: string; length: number } | undefined {
  const found = FRONT.exec(body);
  return found === null ? undefined : { text: found[1] ?? "", length: found[0].length };
}
