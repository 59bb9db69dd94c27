// Steps of a formula before they are read: the tables of a file, and where each is written. Formulas
// that are put together from several files are put together from these.
import { isTable, TEXT_MAX, type Place } from "./table.ts";

export type RawTable = Record<string, unknown>;

export type StepSource = Place & { raw: RawTable };

export const STEPS_MAX = 1000;

/** Each rule can double the steps and their texts: few rules would fill the memory. */
export const areTooMany = (steps: readonly StepSource[]): boolean => steps.length > STEPS_MAX;

/** What may be put into the texts of other steps. */
export const isTooLong = ({ raw }: StepSource): boolean =>
  ["id", "title", "description"].some((key) => textAt(raw, key).length > TEXT_MAX);

/** What is wrong with the size of what rules have made. */
export function sizeProblem(steps: readonly StepSource[]): string | undefined {
  if (areTooMany(steps)) return `more than ${STEPS_MAX} steps`;
  return steps.some(isTooLong) ? `a string of more than ${TEXT_MAX} characters` : undefined;
}

/** The tables of a list; what is no table is reported when it is read. */
export const sourcesIn = (value: unknown, at: Place): StepSource[] =>
  (Array.isArray(value) ? value : []).map((raw: unknown, index) => ({
    raw: isTable(raw) ? raw : {},
    path: [...at.path, index],
    within: at.within,
  }));

export const idOf = ({ raw }: StepSource): string => textAt(raw, "id");

export const textAt = (raw: RawTable, key: string): string => {
  const value = raw[key];
  return typeof value === "string" ? value : "";
};

export const needsOf = ({ raw }: StepSource): string[] => textsAt(raw, "needs");

export const textsAt = (raw: RawTable, key: string): string[] => {
  const value = raw[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
};

export const withKeys = (source: StepSource, keys: RawTable): StepSource => ({
  ...source,
  raw: { ...source.raw, ...keys },
});

/** Who needed `id` needs these instead. */
export const rewired = (steps: StepSource[], id: string, instead: string[]): StepSource[] =>
  steps.map((step) => {
    const needs = needsOf(step);
    if (!needs.includes(id)) return step;
    return withKeys(step, {
      needs: [...new Set(needs.flatMap((need) => (need === id ? instead : [need])))],
    });
  });

/** `*` stands for any text. */
export function matchesGlob(glob: string, id: string): boolean {
  const parts = glob.split("*").map((part) => part.replaceAll(/[^\w-]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(id);
}

/** Every text in a value, changed. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]),
  );
}
