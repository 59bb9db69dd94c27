// The documents lead a reader from page to page: every link goes to a file and a heading that exist.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENTS = globSync(["*.md", "{docs,changes}/**/*.md"], { cwd: ROOT });

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Neither blocks nor code in a line: what looks like a link there is none. */
const prose = (text: string): string =>
  text.replaceAll(/^(`{3,})[^]*?^\1$/gm, "").replaceAll(/`[^`\n]*`/g, "");

/** As forges name the headings of a page. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

function anchorsOf(path: string): string[] {
  const text = read(path).replaceAll(/^(`{3,})[^]*?^\1$/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

/** What is in changes becomes a part of CHANGELOG.md. */
const folderOf = (path: string): string => (path.startsWith("changes/") ? "." : dirname(path));

test("every link of the documents goes to a file and a heading that exist", () => {
  const broken = DOCUMENTS.flatMap((path) =>
    [...prose(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? path : relative(ROOT, join(ROOT, folderOf(path), file));
      if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
      if (anchor === undefined || anchorsOf(target).includes(anchor)) return [];
      return [`${path}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every page of docs can be reached from the index", () => {
  const seen = new Set<string>();
  const follow = (path: string): void => {
    if (seen.has(path) || !existsSync(join(ROOT, path))) return;
    seen.add(path);
    for (const [, link = ""] of prose(read(path)).matchAll(/\]\(([^)#\s]+\.md)[^)]*\)/g)) {
      if (!/^[a-z]+:/.test(link)) follow(relative(ROOT, join(ROOT, dirname(path), link)));
    }
  };
  follow("docs/index.md");
  const pages = DOCUMENTS.filter((path) => /^docs\/(?!decisions\/)/.test(path));
  expect(pages.filter((path) => !seen.has(path))).toEqual([]);
});

test("no document has both sides of a conflict", () => {
  const marked = DOCUMENTS.filter((path) => /^(?:<{7}|>{7}) /m.test(read(path)));
  expect(marked).toEqual([]);
});
