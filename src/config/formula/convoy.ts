// A convoy: legs that go side by side, each with an input of its own, and a synthesis of what they
// came to. It is read as steps; `{{leg.…}}` is filled in here, variables when a run is requested.
import {
  idOf,
  mapTexts,
  sourcesIn,
  textAt,
  withKeys,
  type RawTable,
  type StepSource,
} from "./step-source.ts";
import { isTable, type FormulaFile, type Table } from "./table.ts";

const OTHER_ACTIONS = ["run", "builtin", "gate"];

export function stepsOfConvoy(
  root: RawTable,
  table: Table,
  within: FormulaFile | undefined,
): StepSource[] {
  const legs = sourcesIn(root["legs"], { path: ["legs"], within });
  const prompt = table.text("prompt");
  table.raw("legs");
  if (legs.length === 0) table.note("legs", "are missing. Write [[legs]] with an id for each.");
  if (table.has("steps")) table.note("steps", "belong to a workflow. A convoy has [[legs]].");
  const synthesis = table.table("synthesis");
  const steps = legs.map((leg) => stepOf(leg, prompt, table));
  if (synthesis === undefined) return steps;
  const own = isTable(root["synthesis"]) ? root["synthesis"] : {};
  const raw = { id: "synthesis", title: "Synthesis", needs: legs.map(idOf), ...own };
  return [...steps, { raw, path: ["synthesis"], within }];
}

function stepOf(leg: StepSource, prompt: string | undefined, table: Table): StepSource {
  const { input, ...raw } = leg.raw;
  const known: Record<string, string> = {
    ...inputOf(input, leg, table),
    id: idOf(leg),
    title: textAt(raw, "title") || idOf(leg),
    description: textAt(raw, "description").trim(),
  };
  const fill = (text: string): string =>
    text.replaceAll(/\{\{\s*leg\.([A-Za-z][A-Za-z0-9_-]*)\s*\}\}/g, (whole, name: string) => {
      const value = known[name];
      if (value === undefined) noteUnknown(leg, { name, known, table });
      return value ?? whole;
    });
  const isAgent = !OTHER_ACTIONS.some((key) => raw[key] !== undefined);
  const description = prompt === undefined ? {} : { description: prompt };
  const output = isAgent && raw["output"] === undefined ? { output: "result" } : {};
  const step = withKeys({ ...leg, raw }, { ...(isAgent ? description : {}), ...output });
  return { ...step, raw: mapTexts(step.raw, fill) as RawTable };
}

function inputOf(input: unknown, leg: StepSource, table: Table): Record<string, string> {
  if (input === undefined) return {};
  const texts = isTable(input) ? Object.entries(input) : [];
  if (isTable(input) && texts.every(([, value]) => typeof value === "string")) {
    return Object.fromEntries(texts) as Record<string, string>;
  }
  table.noteAt([...leg.path, "input"], 'is not a table of strings. Write input = { focus = "…" }.');
  return {};
}

function noteUnknown(
  leg: StepSource,
  about: { name: string; known: Record<string, string>; table: Table },
): void {
  const { name, known, table } = about;
  table.noteAt(
    leg.path,
    `has no "${name}" for {{leg.${name}}}. It has ${Object.keys(known).join(", ")}; add it to input.`,
  );
}
