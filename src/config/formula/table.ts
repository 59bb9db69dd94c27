// Reads one table of a formula key by key, and notes what is wrong with it: a value of the wrong
// type, or an unknown key. It never throws: all problems of a file are reported together.
import { parseDuration } from "../../lib/duration.ts";
import { nearest } from "../nearest.ts";
import { formatKey, type KeyPath } from "../problem.ts";

/** A file of a formula: its text, and its name for messages. */
export type FormulaFile = { text: string; file: string };

/** `within`: the file that it was found in, where that is not the file that was asked for. */
export type Finding = { path: KeyPath; message: string; within?: FormulaFile };

export const TEXT_MAX = 50_000;
// Node's timers overflow at 24.8 days.
const DURATION_MAX_MS = 20 * 24 * 60 * 60_000;

/** `within`: the file, where it is not the one that was asked for. */
export type Place = { path: KeyPath; within: FormulaFile | undefined };

/** The whole of the file that was asked for. */
export const ROOT: Place = { path: [], within: undefined };

export class Table {
  readonly path: KeyPath;
  readonly #values: Record<string, unknown>;
  readonly #findings: Finding[];
  readonly #asked = new Set<string>();
  readonly within: FormulaFile | undefined;

  constructor(values: unknown, at: Place, findings: Finding[]) {
    this.path = at.path;
    this.within = at.within;
    this.#findings = findings;
    this.#values = isTable(values) ? values : {};
    if (!isTable(values)) this.note(undefined, "is not a table.");
  }

  placeOf(...keys: PropertyKey[]): Place {
    return { path: [...this.path, ...keys], within: this.within };
  }

  has(key: string): boolean {
    return this.#values[key] !== undefined;
  }

  /** What is wrong with a key, or with the table itself. */
  note(key: string | undefined, rest: string): void {
    this.noteAt(key === undefined ? this.path : [...this.path, key], rest);
  }

  /** The same about another place of this file. */
  noteAt(path: KeyPath, rest: string): void {
    const message = `${formatKey(path)} ${rest}`.trim();
    this.#findings.push({ path, message, ...inFile(this.within) });
  }

  text(key: string): string | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (typeof value === "string") {
      if (value.length <= TEXT_MAX) return value;
      this.note(key, `is longer than ${TEXT_MAX} characters.`);
      return undefined;
    }
    this.note(key, `is ${describe(value)}. Write a string in quotes, "…".`);
    return undefined;
  }

  /** A text that must not be empty. */
  word(key: string): string | undefined {
    const value = this.text(key);
    if (value === undefined || value.trim() !== "") return value;
    this.note(key, "is empty. Fill it or leave it out.");
    return undefined;
  }

  /** A text, or a number as people write it: `await_id = 12`. */
  reference(key: string): string | undefined {
    const value = this.#values[key];
    if (typeof value !== "number" && typeof value !== "bigint") return this.word(key);
    this.#take(key);
    return String(value);
  }

  flag(key: string): boolean | undefined {
    const value = this.#take(key);
    if (value === undefined || typeof value === "boolean") return value;
    this.note(key, `is ${describe(value)}. Write true or false, without quotes.`);
    return undefined;
  }

  count(key: string, range: { from: number; to: number }): number | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    const { from, to } = range;
    if (Number.isSafeInteger(value) && Number(value) >= from && Number(value) <= to) {
      return Number(value);
    }
    this.note(key, `is ${describe(value)}. Write a whole number from ${from} to ${to}.`);
    return undefined;
  }

  durationMs(key: string): number | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const durationMs = parseDuration(text);
    if (durationMs !== undefined && durationMs >= 1 && durationMs <= DURATION_MAX_MS) {
      return durationMs;
    }
    this.note(key, `is "${text}". Write a duration up to 20 d, e.g. "90 s", "30 min" or "2 h".`);
    return undefined;
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.word(key);
    const found = choices.find((choice) => choice === value);
    if (value === undefined || found !== undefined) return found;
    const guess = nearest(value, choices);
    const hint = guess === undefined ? "" : ` Did you mean "${guess}"?`;
    this.note(key, `is "${value}". Write one of ${choices.join(", ")}.${hint}`);
    return undefined;
  }

  texts(key: string): string[] | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
    this.note(key, `is ${describe(value)}. Write a list of strings, ["…", "…"].`);
    return undefined;
  }

  /** The value as it is, for keys that may have several kinds. */
  raw(key: string): unknown {
    return this.#take(key);
  }

  table(key: string): Table | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    return new Table(value, this.placeOf(key), this.#findings);
  }

  tables(key: string): Table[] {
    const value = this.#take(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.note(key, `is ${describe(value)}. Write [[${key}]] above each.`);
      return [];
    }
    return value.map((one, index) => new Table(one, this.placeOf(key, index), this.#findings));
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  /** Notes every key that was not asked for. */
  close(): void {
    const known = [...this.#asked];
    for (const key of this.keys().filter((one) => !this.#asked.has(one))) {
      const meant = nearest(key, known);
      const hint =
        meant === undefined ? `Known are ${known.join(", ")}.` : `Did you mean "${meant}"?`;
      this.note(key, `is not a known key. ${hint}`);
    }
  }

  #take(key: string): unknown {
    this.#asked.add(key);
    return this.#values[key];
  }
}

export const inFile = (within: FormulaFile | undefined): { within?: FormulaFile } =>
  within === undefined ? {} : { within };

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

export function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value instanceof Date) return "a date";
  if (isTable(value)) return "a table";
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
