// A patch of git as files, hunks and lines with their numbers, and the words that changed in them.
import type { CommentView, FileView, LineView } from "../../api/run-changes.ts";
import type { Run } from "../../core/run/run.ts";
import { changedWords } from "../../lib/changed-words.ts";
import { iso } from "./agents.ts";

/** Lines this long are made by programs. */
const MARKED_MAX_CHARS = 2000;

export function filesIn(patch: string): FileView[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map(fileIn);
}

function fileIn(part: string): FileView {
  const at = part.search(/^@@ /m);
  const head = at === -1 ? part : part.slice(0, at);
  const hunks = at === -1 ? [] : part.slice(at).split(/^(?=@@ )/m);
  const read = hunks.map(hunkIn);
  const lines = read.flatMap((hunk) => hunk.lines);
  const from = nameIn(head, /^rename from (.*)$/m);
  return {
    path: nameIn(head, /^rename to (.*)$/m) ?? pathIn(head),
    old_path: from ?? null,
    status: statusIn(head),
    is_binary: /^Binary files /m.test(head),
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
    hunks: read,
  };
}

function statusIn(head: string): FileView["status"] {
  if (/^new file mode /m.test(head)) return "added";
  if (/^deleted file mode /m.test(head)) return "removed";
  return /^rename to /m.test(head) ? "renamed" : "changed";
}

/** By the lines that name one file each; the first line names both and can be read in two ways. */
function pathIn(head: string): string {
  const named = nameIn(head, /^\+\+\+ (.*?)\t?$/m);
  const before = nameIn(head, /^--- (.*?)\t?$/m);
  const found = [named, before].find((name) => name !== undefined && name !== "/dev/null");
  if (found !== undefined) return found.replace(/^[ab]\//, "");
  // Binary, empty, or only its mode changed: both halves are the same.
  const both = /^diff --git (.*)$/m.exec(head)?.[1] ?? "";
  const half = both.slice(0, (both.length - 1) / 2);
  return unquoted(half).replace(/^a\//, "");
}

function nameIn(head: string, pattern: RegExp): string | undefined {
  const name = pattern.exec(head)?.[1];
  return name === undefined ? undefined : unquoted(name);
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b" };

/** Git writes odd names in quotes, byte by byte in octal. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes = [...name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)].map(
    ([, octal, escaped, plain]) =>
      octal === undefined
        ? Buffer.from(plain ?? ESCAPES[escaped ?? ""] ?? escaped ?? "")
        : Buffer.of(Number.parseInt(octal, 8)),
  );
  return Buffer.concat(bytes).toString();
}

function hunkIn(part: string): FileView["hunks"][number] {
  const [header = "", ...rows] = part.replace(/\n$/, "").split("\n");
  const numbers = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(header);
  let [old, fresh] = [Number(numbers?.[1] ?? 0), Number(numbers?.[2] ?? 0)];
  const lines: LineView[] = [];
  for (const row of rows) {
    const text = row.slice(1);
    if (row.startsWith("+")) {
      lines.push({ kind: "added", old: null, new: fresh++, text, marks: [] });
    } else if (row.startsWith("-")) {
      lines.push({ kind: "removed", old: old++, new: null, text, marks: [] });
    } else if (row.startsWith(" ") || row === "") {
      lines.push({ kind: "same", old: old++, new: fresh++, text, marks: [] });
    }
    // A line that begins with a backslash says that the file has no newline at its end.
  }
  markWords(lines);
  return { header, lines };
}

/** Removed lines and the added ones right behind them, pair by pair. */
function markWords(lines: LineView[]): void {
  for (let at = 0; at < lines.length; at++) {
    const from = at;
    while (lines[at]?.kind === "removed") at += 1;
    const removed = lines.slice(from, at);
    const added = removed.map((_, index) => lines[at + index]);
    for (const [index, before] of removed.entries()) {
      const after = added[index];
      if (after?.kind !== "added") break;
      if (before.text.length + after.text.length > MARKED_MAX_CHARS) continue;
      const marked = changedWords(before.text, after.text);
      before.marks = marked.before;
      after.marks = marked.after;
    }
  }
}

export const commentsOf = (run: Run): CommentView[] =>
  run.messages.flatMap(({ id, at, status, comment, readAt }) =>
    comment === undefined
      ? []
      : [
          {
            id,
            path: comment.path,
            line: comment.line,
            side: comment.side,
            text: comment.text,
            by: comment.by,
            at: iso(at),
            status,
            read_at: readAt === undefined ? null : iso(readAt),
          },
        ],
  );
