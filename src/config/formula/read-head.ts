// What every file of a formula begins with: its name and its variables.
import type { FormulaVar } from "../../core/formula/formula.ts";
import type { Table } from "./table.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/;

/** Files of both systems exist: one writes `formula`, the other `name`. */
export function readName(table: Table): string {
  const [formula, name] = [table.word("formula"), table.word("name")];
  if (formula !== undefined && name !== undefined && formula !== name) {
    table.note("name", `is "${name}", but formula is "${formula}". Write one of them.`);
  }
  const found = formula ?? name;
  if (found === undefined) {
    if (!table.has("formula") && !table.has("name")) {
      table.note("name", 'is missing. Write name = "my-formula" at the top.');
    }
    return "";
  }
  if (!NAME.test(found)) {
    const key = formula === undefined ? "name" : "formula";
    table.note(key, `is "${found}". Use letters, digits, ".", "-" and "_", at most 60 characters.`);
  }
  return found;
}

export function readVars(table: Table): FormulaVar[] {
  const vars = table.table("vars");
  if (vars === undefined) return [];
  return vars.keys().flatMap((name) => {
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(name)) {
      vars.note(name, 'is no name of a variable. Use letters, digits, "_" and "-".');
      return [];
    }
    return readVar(vars, name);
  });
}

/** A bare text is the default. */
function readVar(vars: Table, name: string): FormulaVar {
  const value = vars.raw(name);
  if (typeof value === "string") {
    return { name, description: "", required: false, default: value };
  }
  const own = vars.table(name);
  const unless = own?.texts("required_unless");
  const read = {
    name,
    description: own?.text("description") ?? "",
    required: own?.flag("required") ?? false,
    ...(unless === undefined ? {} : { requiredUnless: unless }),
    default: own?.has("default") === true ? readDefault(own) : undefined,
  };
  own?.close();
  return read;
}

/** A default may be written as a number or a flag: variables are texts. */
function readDefault(own: Table): string | undefined {
  const value = own.raw("default");
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint") {
    return String(value);
  }
  return own.text("default");
}
