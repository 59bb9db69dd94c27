// A formula of another system as one of ours: its keys translated, with a note for everything that
// could not be kept. What comes out is read as strictly as any other file.
import { basename } from "node:path";
import { placeholdersIn } from "../../../core/formula/template.ts";
import type { Problem } from "../../problem.ts";
import { parseToml } from "../../toml.ts";
import { mapTexts, textAt, type RawTable } from "../step-source.ts";
import { isTable } from "../table.ts";
import { importParts, typeOf } from "./import-parts.ts";
import { importText, type Texts } from "./import-text.ts";
import { writeToml } from "./write-toml.ts";

export type ImportedFormula =
  | { kind: "imported"; name: string; text: string; notes: string[] }
  | { kind: "invalid"; problems: Problem[] };

const HEAD = ["formula", "name", "type", "version", "description", "model", "context"];
const BODY = ["extends", "compose", "vars", "inputs"];

const WHY: Record<string, string> = {
  pour: ": the journal keeps the result of every step anyway",
  phase: ": the journal keeps the result of every step anyway",
  squash: ": `pawl formula status` shows the result of a run",
  agent: ": choose agents by role in pawl.toml",
};

export function importFormula(text: string, file: string): ImportedFormula {
  const document = parseToml(text, file);
  if (document.kind === "invalid") return document;
  const { root } = document;
  const notes: string[] = [];
  const note = (said: string): void => {
    if (!notes.includes(said)) notes.push(said);
  };
  const name = nameOf(root, file);
  const type = typeOf(root);
  const texts: Texts = { name, note };
  const change = (one: string): string => importText(one, type === "convoy", texts);
  const parts = importParts(root, type, { text: change, note });
  const known = [...HEAD, ...BODY, ...parts.read];
  for (const key of Object.keys(root).filter((one) => !known.includes(one))) {
    note(`${key} is dropped${WHY[key] ?? ""}`);
  }
  const table: RawTable = {
    name,
    ...(type === "workflow" ? {} : { type }),
    version: versionOf(root, note),
    ...described(change(textAt(root, "description"))),
    ...(typeof root["model"] === "string" ? { model: root["model"] } : {}),
    ...(root["extends"] === undefined ? {} : { extends: [root["extends"]].flat() }),
    ...(isTable(root["context"]) ? { context: root["context"] } : {}),
  };
  const vars = { ...varsOf(root["inputs"], note), ...varsOf(root["vars"], note) };
  const body = { ...parts.tables };
  const isPart = type === "expansion" || type === "aspect";
  const all = isPart ? vars : { ...vars, ...undeclared({ ...table, ...body }, vars, note) };
  const whole = { ...table, ...(Object.keys(all).length === 0 ? {} : { vars: all }), ...body };
  return { kind: "imported", name, text: `${comment(file, notes)}${writeToml(whole)}`, notes };
}

function comment(file: string, notes: string[]): string {
  const lines = notes.map((note) => `#   ${note.replaceAll(/\s+/g, " ")}`);
  const dropped = lines.length === 0 ? [] : ["# What could not be kept as it was:", ...lines];
  return [`# Imported from ${basename(file)}.`, ...dropped, "", ""].join("\n");
}

const described = (text: string): RawTable => (text.trim() === "" ? {} : { description: text });

function nameOf(root: RawTable, file: string): string {
  const own = textAt(root, "formula") || textAt(root, "name");
  const name = own === "" ? basename(file).replace(/(?:\.formula)?\.toml$/, "") : own;
  return name
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 60);
}

function versionOf(root: RawTable, note: (text: string) => void): number {
  const version = root["version"];
  if (version === undefined) return 1;
  if (typeof version === "number" && Number.isInteger(version) && version >= 0) return version;
  note(`version ${JSON.stringify(version)} is 1 now: versions are whole numbers`);
  return 1;
}

const VAR_KEYS = ["description", "required", "required_unless", "default"];

function varsOf(value: unknown, note: (text: string) => void): RawTable {
  if (!isTable(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      if (!isTable(one)) return [name, String(one)];
      const kept = Object.fromEntries(
        VAR_KEYS.flatMap((key) => (key in one ? [[key, one[key]]] : [])),
      );
      const limits = ["enum", "pattern"].flatMap((key) =>
        one[key] === undefined ? [] : [`${key}: ${JSON.stringify(one[key])}`],
      );
      for (const key of Object.keys(one).filter((own) => !VAR_KEYS.includes(own))) {
        if (key === "type") continue;
        note(
          limits.length === 0
            ? `vars.${name}.${key} is dropped`
            : `vars.${name}.${key} is in the description now; Pawl does not check it`,
        );
      }
      const description = [textAt(one, "description"), ...limits].filter((part) => part !== "");
      if (description.length > 0) kept["description"] = description.join(" · ");
      if (typeof kept["default"] === "object") kept["default"] = JSON.stringify(kept["default"]);
      return [name, kept];
    }),
  );
}

/** Other systems leave `{{name}}` as it is where nothing declares it: so does this default. */
function undeclared(tables: RawTable, vars: RawTable, note: (text: string) => void): RawTable {
  const names = new Set<string>();
  mapTexts(tables, (text) => {
    for (const name of placeholdersIn(text)) names.add(name);
    return text;
  });
  for (const step of [tables["steps"], tables["legs"]].flat()) {
    if (!isTable(step)) continue;
    for (const [, name] of textAt(step, "when").matchAll(/\bvars\.([\w-]+)/g))
      names.add(name ?? "");
  }
  const missing = [...names].filter((name) => vars[name] === undefined);
  return Object.fromEntries(
    missing.map((name) => {
      note(`{{${name}}} was not declared: it is a variable now`);
      return [name, { description: "not declared in the original", default: `<${name}>` }];
    }),
  );
}
