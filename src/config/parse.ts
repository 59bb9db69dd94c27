// The text of a pawl.toml in, a complete configuration or every problem of the file out. Pure.
import type { ProjectConfig } from "../core/config.ts";
import { completeConfig } from "./complete.ts";
import { explainIssue, type Finding } from "./explain-errors.ts";
import { locateKeys } from "./locate.ts";
import { formatKey, type Problem } from "./problem.ts";
import { checkRules } from "./rules.ts";
import { schema } from "./schema.ts";
import { parseToml } from "./toml.ts";

export type ParsedConfig =
  | { kind: "valid"; config: ProjectConfig }
  | { kind: "invalid"; problems: Problem[] };

/** `file` is only for messages. */
export function parseConfig(text: string, file: string): ParsedConfig {
  const document = parseToml(text, file);
  if (document.kind === "invalid") return document;
  const parsed = schema.safeParse(document.root);
  const issues = parsed.success ? [] : parsed.error.issues;
  const findings = [
    ...issues.flatMap((issue) => explainIssue(issue, document.root)),
    ...checkRules(document.root),
  ];
  if (parsed.success && findings.length === 0) {
    return { kind: "valid", config: completeConfig(parsed.data) };
  }
  return { kind: "invalid", problems: place(withoutEchoes(findings), text, file) };
}

/** A misspelt key is one problem: that the right one is missing then needs no line of its own. */
function withoutEchoes(findings: Finding[]): Finding[] {
  const meant = findings.flatMap((found) => (found.meant === undefined ? [] : [found.meant]));
  return findings.filter(
    ({ path }) => !meant.some((other) => path.every((part, index) => part === other[index])),
  );
}

function place(findings: Finding[], text: string, file: string): Problem[] {
  const locate = locateKeys(text);
  return findings
    .map(({ path, message }) => ({ file, line: locate(path), key: formatKey(path), message }))
    .toSorted((a, b) => a.line - b.line);
}
