// Holds a JSON value against a schema of an API description, with the keywords that GitHub's OpenAPI 3.0
// and Gitea's Swagger 2.0 use. Unlike a plain JSON Schema check it also reports names that the schema
// does not know: a fake that answers with a field of its own would prove nothing. A keyword that is
// not known here throws, so that nothing goes unchecked in silence.
export type Schema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
};

export type Rules = {
  resolve: (ref: string) => Schema;
  /** Whether null may stand for this, although its schema does not say so. */
  mayBeNull: (name: string, schema: Schema) => boolean;
};

const CHECKED = new Set(
  "$ref type nullable format enum properties required additionalProperties items oneOf anyOf allOf minLength maxLength pattern minimum maximum minItems maxItems uniqueItems".split(
    " ",
  ),
);
/** Say nothing about a value. */
const SILENT = /^(?:title|description|default|deprecated|readOnly|discriminator|examples?|x-.*)$/;

/** What is wrong, each as `place: reason`; the place is a path such as `[0].user.login`. */
export function violations(rules: Rules, schema: Schema, value: unknown): string[] {
  return new Check(rules).at("", { schema, value });
}

class Check {
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** `known`: names that a schema around this one allows too. */
  at(place: string, { schema: given, value, known }: Held): string[] {
    const schema = this.#resolved(given);
    for (const word of Object.keys(schema)) {
      if (!CHECKED.has(word) && !SILENT.test(word)) throw new Error(`unknown keyword ${word}`);
    }
    const name = /([\w-]*)(?:\[\d+\])?$/.exec(place)?.[1] ?? "";
    if (value === null && (given.nullable === true || schema.nullable === true)) return [];
    if (value === null && this.#rules.mayBeNull(name, schema)) return [];
    const bad = (why: string): string[] => [`${place || "its top"}: ${why}`];
    if (schema.type !== undefined && !isOf(schema.type, value)) {
      return bad(`is ${shown(value)}, and should be ${schema.type}`);
    }
    if (schema.enum !== undefined && !schema.enum.includes(value)) {
      return bad(`is ${shown(value)}, and should be one of ${schema.enum.join(", ")}`);
    }
    const names = known ?? this.#names(schema);
    return [
      ...(typeof value === "string" ? textFaults(schema, value).flatMap(bad) : []),
      ...(typeof value === "number" ? numberFaults(schema, value).flatMap(bad) : []),
      ...(Array.isArray(value) ? this.#list(place, schema, value) : []),
      ...(isObject(value) ? this.#object(place, { schema, value, names }) : []),
      ...(schema.allOf ?? []).flatMap((one) =>
        this.at(place, { schema: one, value, known: names }),
      ),
      ...this.#choice(place, { schema, value, names }),
    ];
  }

  /** At least one must fit; GitHub's own answers fit several of its `oneOf` at times. */
  #choice(place: string, of: { schema: Schema; value: unknown; names: Names }): string[] {
    const { schema, value, names } = of;
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices === undefined) return [];
    // Beside names of its own, the schema and what is chosen from describe one object together.
    const shared = schema.properties === undefined ? undefined : names;
    const tried = choices.map((one) => this.at(place, { schema: one, value, known: shared }));
    return tried.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }

  #list(place: string, schema: Schema, value: unknown[]): string[] {
    const { items, minItems, maxItems, uniqueItems } = schema;
    const isTwice = uniqueItems === true && new Set(value).size < value.length;
    const many = `${place || "its top"}: has ${value.length} items, and should have`;
    return [
      ...(value.length < (minItems ?? 0) ? [`${many} at least ${minItems}`] : []),
      ...(value.length > (maxItems ?? Infinity) ? [`${many} at most ${maxItems}`] : []),
      ...(isTwice ? [`${place || "its top"}: has an item twice`] : []),
      ...value.flatMap((one, at) =>
        items === undefined ? [] : this.at(`${place}[${at}]`, { schema: items, value: one }),
      ),
    ];
  }

  #object(
    place: string,
    { schema, value, names }: { schema: Schema; value: Record<string, unknown>; names: Names },
  ): string[] {
    const { properties = {}, required = [], additionalProperties: more } = schema;
    const below = (name: string): string => (place === "" ? name : `${place}.${name}`);
    const missing = required.filter((name) => value[name] === undefined);
    return [
      ...missing.map((name) => `${below(name)}: is missing`),
      ...Object.entries(value).flatMap(([name, one]) => {
        if (one === undefined) return [];
        const own = properties[name];
        if (own !== undefined) return this.at(below(name), { schema: own, value: one });
        if (typeof more === "object") return this.at(below(name), { schema: more, value: one });
        return names === undefined || names.has(name) ? [] : [`${below(name)}: is not described`];
      }),
    ];
  }

  /** All names that an object may have; undefined where any will do. */
  #names(given: Schema): Names {
    const schema = this.#resolved(given);
    const { properties, additionalProperties: more } = schema;
    const inner = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
    if (more !== undefined && more !== false) return undefined;
    if (properties === undefined && inner.length === 0) return undefined;
    const all = new Set(Object.keys(properties ?? {}));
    for (const one of inner) {
      const names = this.#names(one);
      if (names === undefined && this.#resolved(one).type === "object") return undefined;
      for (const name of names ?? []) all.add(name);
    }
    return all;
  }

  #resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.#resolved(this.#rules.resolve(schema.$ref));
  }
}

type Held = { schema: Schema; value: unknown; known?: Names };
type Names = ReadonlySet<string> | undefined;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function textFaults(schema: Schema, text: string): string[] {
  const { format, minLength = 0, maxLength = Infinity, pattern } = schema;
  return [
    ...(format === "date-time" && !TIME.test(text) ? [`${shown(text)} is no date-time`] : []),
    // Some of GitHub's are templates, `…{/number}`, which a URL may hold.
    ...(format === "uri" && !URL.canParse(text) ? [`${shown(text)} is no address`] : []),
    ...(text.length < minLength ? [`is shorter than ${minLength}`] : []),
    ...(text.length > maxLength ? [`is longer than ${maxLength}`] : []),
    ...(pattern !== undefined && !new RegExp(pattern).test(text)
      ? [`${shown(text)} does not match ${pattern}`]
      : []),
  ];
}

const numberFaults = ({ minimum = -Infinity, maximum = Infinity }: Schema, value: number) => [
  ...(value < minimum ? [`is less than ${minimum}`] : []),
  ...(value > maximum ? [`is more than ${maximum}`] : []),
];

const shown = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 80);
