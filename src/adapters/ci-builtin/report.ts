// What a gate's own report says: JUnit XML or TAP, told apart by their content. Only counts and names
// are taken from it; whether they make the gate red is judged elsewhere.
import type { TestSummary } from "../../core/check.ts";
import { errorCode } from "../../lib/error-code.ts";
import { openInside } from "../shared/folder.ts";

const REPORT_MAX_BYTES = 10_000_000;
const FAILURES_MAX = 20;
const NAME_CHARS_MAX = 200;

/** Undefined where there is no such file, or it is no report. A link is none: it may lead anywhere. */
export async function readReport(checkout: string, path: string): Promise<TestSummary | undefined> {
  const file = await openInside(checkout, path);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size === 0 || size > REPORT_MAX_BYTES) return undefined;
    return parseReport(await file.readFile("utf8"));
  } catch (error) {
    // A folder, or a file that goes away while it is read.
    if (errorCode(error) !== undefined) return undefined;
    throw error;
  } finally {
    await file.close();
  }
}

export function parseReport(text: string): TestSummary | undefined {
  if (/<testsuites?\b/.test(text)) return parseJunit(text);
  return /^(?:TAP version \d+|\d+\.\.\d+|(?:not )?ok\b)/m.test(text) ? parseTap(text) : undefined;
}

type Case = { name: string; result: "passed" | "failed" | "skipped" };

const summaryOf = (cases: Case[]): TestSummary => {
  const failed = cases.filter(({ result }) => result === "failed");
  return {
    total: cases.length,
    failed: failed.length,
    skipped: cases.filter(({ result }) => result === "skipped").length,
    failures: failed.slice(0, FAILURES_MAX).map(({ name }) => name.slice(0, NAME_CHARS_MAX)),
  };
};

/** Attribute values may hold a `>` of their own. */
const TESTCASE =
  /<testcase\b(?<attributes>(?:[^>"'/]|"[^"]*"|'[^']*'|\/(?!>))*)(?:\/>|>(?<body>[^]*?)<\/testcase>)/g;

function parseJunit(text: string): TestSummary {
  const cases = [...text.matchAll(TESTCASE)].map(({ groups }): Case => {
    const { attributes = "", body = "" } = groups ?? {};
    const name = [attributeOf(attributes, "classname"), attributeOf(attributes, "name")];
    return { name: name.filter(Boolean).join(" "), result: junitResult(body) };
  });
  return summaryOf(cases);
}

function junitResult(body: string): Case["result"] {
  if (/<(?:failure|error)\b/.test(body)) return "failed";
  return /<skipped\b/.test(body) ? "skipped" : "passed";
}

function attributeOf(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return withoutEntities(found?.[1] ?? found?.[2] ?? "");
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const withoutEntities = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? "");

const TAP_LINE = /^(?<not>not )?ok\b\s*\d*\s*-?\s*(?<name>.*)$/;

/** Lines of subtests are indented: their sum is in the line of the test above them. */
function parseTap(text: string): TestSummary {
  const cases = text.split("\n").flatMap((line): Case[] => {
    if (line.startsWith("Bail out!")) return [{ name: line.trim(), result: "failed" }];
    const found = TAP_LINE.exec(line.trimEnd())?.groups;
    return found === undefined ? [] : [tapCase(found["not"] !== undefined, found["name"] ?? "")];
  });
  return summaryOf(cases);
}

function tapCase(isNot: boolean, description: string): Case {
  const directive = /\s*#\s*(?<word>skip|todo)\b.*$/i.exec(description);
  const name = directive === null ? description : description.slice(0, directive.index);
  if (directive !== null) return { name, result: "skipped" };
  return { name, result: isNot ? "failed" : "passed" };
}
