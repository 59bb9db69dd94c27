// Reads the text of a `when` into an expression, or says what is wrong with it in one sentence.
import { COMPARISONS, type Comparison, type Condition } from "./condition.ts";
import type { Expression, Operand } from "./condition.ts";

const LENGTH_MAX = 500;
const DEPTH_MAX = 20;
const TOKEN = /\s*(?:("[^"]*"|'[^']*')|(==|!=|<=|>=|[<>()])|([A-Za-z0-9_.-]+))/y;

export type ReadCondition =
  | { kind: "condition"; condition: Condition }
  | { kind: "problem"; problem: string };

export function readCondition(text: string): ReadCondition {
  if (text.length > LENGTH_MAX) {
    return { kind: "problem", problem: `is longer than ${LENGTH_MAX} characters.` };
  }
  const tokens = tokensOf(text);
  if (typeof tokens === "string") return { kind: "problem", problem: tokens };
  const reader = new Reader(tokens);
  const means = reader.any(0);
  const problem = reader.problem ?? reader.rest();
  if (problem !== undefined || means === undefined) {
    return { kind: "problem", problem: problem ?? "is not a condition." };
  }
  return { kind: "condition", condition: { text, means } };
}

function tokensOf(text: string): string[] | string {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (text.slice(TOKEN.lastIndex).trim() !== "") {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return `cannot be read at "${text.slice(from).trim().slice(0, 20)}".`;
    tokens.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  return tokens;
}

/** Recursive descent over tokens; the first problem ends it. */
class Reader {
  readonly #tokens: string[];
  #at = 0;
  problem: string | undefined;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  rest(): string | undefined {
    const token = this.#tokens[this.#at];
    return token === undefined ? undefined : `ends before "${token}". Join parts by and / or.`;
  }

  any(depth: number): Expression | undefined {
    return this.#joined("or", () => this.#joined("and", () => this.#not(depth)));
  }

  #joined(word: "and" | "or", part: () => Expression | undefined): Expression | undefined {
    const all: Expression[] = [];
    do {
      const next = part();
      if (next === undefined) return undefined;
      all.push(next);
    } while (this.#take(word));
    const [only] = all;
    return all.length === 1 ? only : { kind: word, all };
  }

  #not(depth: number): Expression | undefined {
    if (depth > DEPTH_MAX) return this.#fail(`is nested deeper than ${DEPTH_MAX}.`);
    if (this.#take("not")) {
      const of = this.#not(depth + 1);
      return of === undefined ? undefined : { kind: "not", of };
    }
    if (!this.#take("(")) return this.#comparison();
    const inner = this.any(depth + 1);
    if (inner === undefined) return undefined;
    return this.#take(")") ? inner : this.#fail('lacks a ")".');
  }

  #comparison(): Expression | undefined {
    const left = this.#operand();
    if (left === undefined) return undefined;
    const by = this.#tokens[this.#at];
    if (!isComparison(by)) return { kind: "is", of: left };
    this.#at += 1;
    const right = this.#operand();
    return right === undefined ? undefined : { kind: "compare", left, by, right };
  }

  #operand(): Operand | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === undefined) return this.#fail("ends where a value is expected.");
    if (/^["']/.test(token)) return { kind: "text", value: token.slice(1, -1) };
    if (/^(?:-?\d+(?:\.\d+)?|true|false)$/.test(token)) return { kind: "text", value: token };
    const variable = /^vars\.([A-Za-z][A-Za-z0-9_-]*)$/.exec(token)?.[1];
    if (variable !== undefined) return { kind: "var", name: variable };
    const step = /^steps\.([A-Za-z0-9_-]+)\.(status|output)$/.exec(token);
    if (step?.[1] !== undefined) {
      return { kind: "step", step: step[1], field: step[2] === "status" ? "status" : "output" };
    }
    return this.#fail(
      `has "${token}", which is not a value. Write "text", 3, vars.NAME, steps.ID.status or steps.ID.output.`,
    );
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #fail(problem: string): undefined {
    this.problem ??= problem;
    return undefined;
  }
}

const isComparison = (token: string | undefined): token is Comparison =>
  COMPARISONS.some((one) => one === token);
