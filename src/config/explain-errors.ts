// Turns what the schema found into sentences a person can act on. It knows nothing of positions.
import type * as z from "zod";
import { nearest } from "./nearest.ts";
import { formatKey, type KeyPath } from "./problem.ts";
import { configSchema } from "./schema.ts";

export type Finding = {
  path: KeyPath;
  message: string;
  /** The key a misspelt one was probably meant to be. */
  meant?: KeyPath;
};
type Issue = z.core.$ZodIssue;
type Node = Record<string, unknown>;

export function explainIssue(issue: Issue, root: unknown): Finding[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => explainUnknown([...issue.path, key]));
  }
  // A bad name of a variable in [agent.env]: the sentence is one level down.
  if (issue.code === "invalid_key") {
    return issue.issues.map((inner) => finding(issue.path, inner.message));
  }
  const value = valueAt(root, issue.path);
  if (value === undefined) return [finding(issue.path, explainMissing(issue))];
  return [finding(issue.path, explainValue(issue, value))];
}

const finding = (path: KeyPath, rest: string): Finding => ({
  path,
  message: `${formatKey(path)} ${rest}`,
});

function explainValue(issue: Issue, value: unknown): string {
  if (issue.code === "invalid_type") {
    return `is ${describe(value)}. Write ${EXPECTATIONS[issue.expected] ?? issue.expected}.`;
  }
  if (issue.code === "invalid_value") return explainChoice(issue.values.map(String), value);
  if (issue.code === "too_small") {
    const isBlank = issue.origin === "string" || issue.origin === "array";
    if (isBlank) return "is empty. Fill it or leave it out.";
    return `is ${describe(value)}. Write a number of at least ${issue.minimum}.`;
  }
  if (issue.code === "too_big") {
    if (issue.origin === "array") return `is too long. At most ${issue.maximum} items are allowed.`;
    return `is ${describe(value)}. Write a number of at most ${issue.maximum}.`;
  }
  // What fields.ts refuses carries its own sentence.
  return issue.message;
}

function explainChoice(choices: string[], value: unknown): string {
  if (choices.length === 1) return `is ${describe(value)}. Write ${choices[0]} or leave it out.`;
  const meant = typeof value === "string" ? nearest(value, choices) : undefined;
  const guess = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const list = choices.map((choice) => `"${choice}"`).join(", ");
  return `is ${describe(value)}. Write one of ${list}.${guess}`;
}

function explainMissing(issue: Issue): string {
  const fix = EXAMPLES[formatKey(issue.path)] ?? EXAMPLES[String(issue.path.at(-1))];
  return fix === undefined ? "is missing." : `is missing. Write ${fix}.`;
}

const EXAMPLES: Record<string, string> = {
  project: '[project] with name = "my-app" and target = "main"',
  "project.name": 'name = "my-app" below [project]',
  "project.target": 'target = "main" (the branch that work lands on) below [project]',
  agent: '[agent] with runtime = "command" and command = ["program", "argument"]',
  "agent.runtime": 'runtime = "command" below [agent]',
  ci: '[ci] with command = "…" (your tests), or with none = true if there are none',
  name: 'name = "…"',
  command: 'command = "…"',
};

function explainUnknown(path: KeyPath): Finding {
  const key = String(path.at(-1));
  const table = path.slice(0, -1);
  const known = knownKeys(table);
  const meant = nearest(key, known);
  if (meant !== undefined) {
    const found = finding(path, `is not a known key. Did you mean "${meant}"?`);
    return { ...found, meant: [...table, meant] };
  }
  const home = homeOf(key);
  if (home !== undefined)
    return finding(path, `is not a known key. "${key}" belongs in [${home}].`);
  const place = table.length === 0 ? "Sections" : `Keys of [${formatKey(table)}]`;
  return finding(path, `is not a known key. ${place}: ${known.join(", ")}.`);
}

/** The keys the schema allows in the table at this path. */
function knownKeys(path: KeyPath): string[] {
  let node: unknown = configSchema();
  for (const part of path) {
    node = typeof part === "number" ? child(node, "items") : child(child(node, "properties"), part);
  }
  const properties = child(node, "properties");
  return isNode(properties) ? Object.keys(properties) : [];
}

function homeOf(key: string): string | undefined {
  return knownKeys([]).find((section) => knownKeys([section]).includes(key));
}

function valueAt(root: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, part) => child(value, part), root);
}

function child(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)] as unknown;
  return isNode(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (isNode(value)) return "a table";
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

const EXPECTATIONS: Record<string, string> = {
  string: 'a string in quotes, "…"',
  array: 'a list, ["…", "…"]',
  object: "a table",
  record: "a table",
  boolean: "true or false, without quotes",
  number: "a whole number, without quotes",
  int: "a whole number, without quotes",
};
