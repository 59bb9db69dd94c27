// The text of a formula with `{{name}}` and `{{if name}} … {{else}} … {{end}}` in it. All of it is
// filled in when a run is requested. Anything else between braces is plain text.
import { holds } from "./condition.ts";

type Test = { name: string; negated: boolean; equals: string | undefined };
type Part =
  | { kind: "text"; text: string }
  | { kind: "name"; name: string; whole: string }
  | { kind: "choice"; test: Test; yes: Part[]; no: Part[] };
type Template = { parts: Part[]; problem: string | undefined };

const NAME = "[A-Za-z][A-Za-z0-9_-]*";
const IF = `if\\s+(not\\s+)?(${NAME})(?:\\s*(==|!=)\\s*"([^"]*)")?`;
// A tag of a choice that is alone on its line takes the line with it.
const TAG = new RegExp(
  `^[ \\t]*\\{\\{\\s*(?:${IF}|(else|end))\\s*\\}\\}[ \\t]*\\n|\\{\\{\\s*(?:${IF}|(${NAME}))\\s*\\}\\}`,
  "gm",
);

/** The variables that a text names. */
export const placeholdersIn = (text: string): string[] => namesOf(parsed(text).parts);

/** What is wrong with the choices of a text. */
export const templateProblem = (text: string): string | undefined => parsed(text).problem;

export const hasChoice = (text: string): boolean =>
  parsed(text).parts.some(({ kind }) => kind === "choice");

/** A name that has no value stays as it is. */
export const fillTemplate = (text: string, vars: Readonly<Record<string, string>>): string =>
  filled(parsed(text).parts, vars);

type Level = { test: Test; yes: Part[]; no: Part[] | undefined };

function parsed(text: string): Template {
  const root: Part[] = [];
  const levels: Level[] = [];
  const push = (part: Part): void => {
    const level = levels.at(-1);
    (level === undefined ? root : (level.no ?? level.yes)).push(part);
  };
  let from = 0;
  for (const match of text.matchAll(TAG)) {
    if (match.index > from) push({ kind: "text", text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    const test = testOf(match);
    const word = match[5] ?? match[10] ?? "";
    const level = levels.at(-1);
    if (test !== undefined) levels.push({ test, yes: [], no: undefined });
    else if (word === "else" && level !== undefined && level.no === undefined) level.no = [];
    else if (word === "end" && level !== undefined) {
      levels.pop();
      push({ kind: "choice", test: level.test, yes: level.yes, no: level.no ?? [] });
    } else push({ kind: "name", name: word, whole: match[0] });
  }
  push({ kind: "text", text: text.slice(from) });
  const open = levels.at(-1);
  if (open === undefined) return { parts: root, problem: undefined };
  return {
    parts: [{ kind: "text", text }],
    problem: `{{if ${open.test.name}}} has no {{end}}. Write {{end}} where the choice ends.`,
  };
}

function testOf(match: RegExpExecArray): Test | undefined {
  const [not, name, by, equals] = match[2] === undefined ? match.slice(6, 10) : match.slice(1, 5);
  if (name === undefined) return undefined;
  return { name, negated: (not !== undefined) !== (by === "!="), equals };
}

const namesOf = (parts: Part[]): string[] =>
  parts.flatMap((part) => {
    if (part.kind === "text") return [];
    if (part.kind === "name") return [part.name];
    return [part.test.name, ...namesOf(part.yes), ...namesOf(part.no)];
  });

function filled(parts: Part[], vars: Readonly<Record<string, string>>): string {
  return parts
    .map((part) => {
      if (part.kind === "text") return part.text;
      if (part.kind === "name") return vars[part.name] ?? part.whole;
      return filled(passes(part.test, vars) ? part.yes : part.no, vars);
    })
    .join("");
}

function passes({ name, negated, equals }: Test, vars: Readonly<Record<string, string>>): boolean {
  const of = { kind: "var", name } as const;
  const scope = { vars, step: () => undefined };
  const means =
    equals === undefined
      ? holds({ kind: "is", of }, scope)
      : holds(
          { kind: "compare", left: of, by: "==", right: { kind: "text", value: equals } },
          scope,
        );
  return means !== negated;
}
