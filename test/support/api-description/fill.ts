// Adds to a fake's answer what its API always sends and Pawl never reads: addresses, counters, whole
// records of apps and repositories. What Pawl reads, a fake must answer by itself.
import type { Description } from "./description.ts";
import { isObject, violations, type Schema } from "./schema.ts";

const EPOCH = "2026-01-01T00:00:00Z";

export class Filler {
  readonly #description: Description;
  readonly #read: ReadonlySet<string>;

  constructor(description: Description, read: ReadonlySet<string>) {
    this.#description = description;
    this.#read = read;
  }

  fill(given: Schema, value: unknown): unknown {
    const schema = this.#resolved(given);
    const { items } = schema;
    if (Array.isArray(value)) {
      return items === undefined ? value : value.map((one) => this.fill(items, one));
    }
    if (!isObject(value)) return value;
    const choices = schema.oneOf ?? schema.anyOf;
    const parts = [...(schema.allOf ?? []), ...(choices ? [this.#best(choices, value)] : [])];
    const whole = parts.reduce<unknown>((before, part) => this.fill(part, before), value);
    return this.#named(schema, whole as Record<string, unknown>);
  }

  #named(schema: Schema, value: Record<string, unknown>): Record<string, unknown> {
    const filled = { ...value };
    for (const [name, own] of Object.entries(schema.properties ?? {})) {
      if (value[name] !== undefined) filled[name] = this.fill(own, value[name]);
      else if (schema.required?.includes(name) === true && !this.#read.has(name)) {
        filled[name] = this.#blank(own);
      }
    }
    return filled;
  }

  /** Something that fits: whole, because all of it is unread. */
  #blank(given: Schema): unknown {
    const schema = this.#resolved(given);
    if (schema.nullable === true) return null;
    if (schema.enum !== undefined) return schema.enum[0];
    const part = schema.allOf?.[0] ?? schema.anyOf?.[0] ?? schema.oneOf?.[0];
    if (part !== undefined) return this.#blank(part);
    switch (schema.type) {
      case "object":
        return Object.fromEntries(
          (schema.required ?? []).map((name) => [
            name,
            this.#blank(schema.properties?.[name] ?? {}),
          ]),
        );
      case "array":
        return [];
      case "boolean":
        return false;
      case "integer":
      case "number":
        return 0;
      default:
        return schema.format === "date-time" ? EPOCH : "https://unread.test/";
    }
  }

  #best(choices: Schema[], value: unknown): Schema {
    const { rules } = this.#description;
    const tried = choices.map((one) => {
      const faults = violations(rules, one, this.fill(one, value));
      return { one, faults: faults.length };
    });
    return tried.toSorted((a, b) => a.faults - b.faults)[0]?.one ?? {};
  }

  #resolved(schema: Schema): Schema {
    const { $ref } = schema;
    return $ref === undefined ? schema : this.#resolved(this.#description.rules.resolve($ref));
  }
}
