// The fields of one spool file. A field that is there and wrong is never taken for one that is missing:
// the first such field is remembered, with what it is and what it should be. null counts as missing.
type Fields = Readonly<Record<string, unknown>>;

const LIST_MAX = 50;
const SHOWN_MAX = 60;

export class SpoolFields {
  readonly all: Fields;
  #fault: string | undefined;

  constructor(all: Fields) {
    this.all = all;
  }

  /** What is wrong with the first field that is; undefined where all are right. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Trimmed and cut; undefined where it is missing or empty. */
  text(name: string, max: number): string | undefined {
    const value = this.#given(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") return this.#wrong(name, value, "a string");
    const trimmed = value.trim();
    return trimmed === "" ? undefined : trimmed.slice(0, max);
  }

  neededText(name: string, max: number): string {
    const value = this.text(name, max);
    if (value === undefined) this.#wrong(name, this.all[name], "a string that is not empty");
    return value ?? "";
  }

  /** Undefined where it is missing. */
  number(name: string, what: string, isRight: (value: number) => boolean): number | undefined {
    const value = this.#given(name);
    if (value === undefined) return undefined;
    const isNumber = typeof value === "number" && Number.isFinite(value) && isRight(value);
    return isNumber ? value : this.#wrong(name, value, what);
  }

  neededNumber(name: string, what: string, isRight: (value: number) => boolean): number {
    const value = this.number(name, what, isRight);
    if (value === undefined) this.#wrong(name, this.all[name], what);
    return value ?? 0;
  }

  /** Undefined where it is missing. */
  oneOf<T extends string>(name: string, known: readonly T[]): T | undefined {
    const value = this.#given(name);
    if (value === undefined) return undefined;
    const found = known.find((one) => one === value);
    return found ?? this.#wrong(name, value, `one of ${known.join(", ")}`);
  }

  /** Of texts; numbers are taken as they are written. The rest of a long one is cut off. */
  list(name: string, max: number): string[] {
    const value = this.#given(name) ?? [];
    const isList = Array.isArray(value) && value.every(isPlain);
    if (!isList) this.#wrong(name, value, "a list of strings");
    if (!isList) return [];
    const texts = value.slice(0, LIST_MAX).map((one) => String(one).trim().slice(0, max));
    return texts.filter((one) => one !== "");
  }

  /** For what has rules of its own. */
  refuse(name: string, what: string): void {
    this.#wrong(name, this.all[name], what);
  }

  #given(name: string): unknown {
    return this.all[name] ?? undefined;
  }

  #wrong(name: string, value: unknown, what: string): undefined {
    const shown = (JSON.stringify(value) ?? "missing").slice(0, SHOWN_MAX);
    this.#fault ??= `\`${name}\` is ${shown}, and should be ${what}`;
    return undefined;
  }
}

const isPlain = (one: unknown): boolean => typeof one === "string" || typeof one === "number";
