// An API as its makers describe it: which requests there are, and what each may send and answer.
// GitHub's is OpenAPI 3.0, Gitea's is Swagger 2.0; both are brought into one shape here.
import type { Rules, Schema } from "./schema.ts";

type Parameter = { name: string; in: string; required?: boolean; schema?: Schema } & Schema;
type Answer = { schema?: Schema; content?: Record<string, { schema?: Schema }>; $ref?: string };
type RawOperation = {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }>; required?: boolean };
  responses: Record<string, Answer>;
};
type Raw = { paths: Record<string, Record<string, RawOperation>> };

export type Operation = {
  /** As the description writes it, e.g. `GET /repos/{owner}/{repo}`. */
  name: string;
  query: { name: string; required: boolean; schema: Schema }[];
  body: { schema: Schema; required: boolean } | undefined;
  /** By status; undefined where the answer has no described body. */
  answers: ReadonlyMap<number, Schema | undefined>;
};

export type Description = {
  api: string;
  rules: Rules;
  find: (method: string, path: string) => Operation | undefined;
  /** Statuses that every request may be answered with. */
  general: ReadonlySet<number>;
  /** Names that bodies may have beside the described ones. */
  alsoSent: ReadonlySet<string>;
  /** Of those and of every refusal without a body of its own. */
  error: Schema;
};

export function describe(
  raw: unknown,
  of: Pick<Description, "api" | "general" | "alsoSent" | "error"> & {
    mayBeNull: Rules["mayBeNull"];
  },
): Description {
  const document = raw as Raw;
  const resolve = <T>(ref: string): T => followed(document, ref) as T;
  const templates = Object.keys(document.paths).map((path) => ({
    path,
    pattern: patternOf(path),
    holes: path.split("{").length,
  }));
  // The one with the fewest holes is meant: /issues/comments/{id} and not /issues/{number}/{more}.
  templates.sort((a, b) => a.holes - b.holes);
  const known = new Map<string, Operation>();
  return {
    ...of,
    rules: { resolve, mayBeNull: of.mayBeNull },
    find(method, path) {
      const found = templates.find(
        (one) =>
          one.pattern.test(path) && document.paths[one.path]?.[method.toLowerCase()] !== undefined,
      );
      if (found === undefined) return undefined;
      const name = `${method} ${found.path}`;
      const operation = document.paths[found.path]?.[method.toLowerCase()];
      const made = known.get(name) ?? (operation && operationOf(name, operation, resolve));
      if (made !== undefined) known.set(name, made);
      return made;
    },
  };
}

/** A file's path may have folders in it; every other hole is one part of the address. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll("{filepath}", ".+").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);

function operationOf(name: string, raw: RawOperation, resolve: <T>(ref: string) => T): Operation {
  const parameters = (raw.parameters ?? []).map((one) =>
    "$ref" in one && one.$ref !== undefined ? resolve<Parameter>(one.$ref) : (one as Parameter),
  );
  const inBody = parameters.find((one) => one.in === "body");
  const json = raw.requestBody?.content["application/json"];
  const bodySchema = json?.schema ?? inBody?.schema;
  const isRequired = raw.requestBody?.required ?? inBody?.required ?? false;
  return {
    name,
    query: parameters
      .filter((one) => one.in === "query")
      .map(({ name: key, required = false, schema, ...rest }) => ({
        name: key,
        required,
        // Swagger 2.0 writes type and enum beside the name.
        schema: schema ?? typeOf(rest),
      })),
    body: bodySchema && { schema: bodySchema, required: isRequired },
    answers: new Map(
      Object.entries(raw.responses).map(([status, given]) => [
        Number(status),
        answerSchema(given, resolve),
      ]),
    ),
  };
}

const typeOf = ({ type, format, enum: values, items }: Schema): Schema => ({
  ...(type !== undefined && { type }),
  ...(format !== undefined && { format }),
  ...(values !== undefined && { enum: values }),
  ...(items !== undefined && { items: typeOf(items) }),
});

function answerSchema(given: Answer, resolve: <T>(ref: string) => T): Schema | undefined {
  const answer = given.$ref === undefined ? given : resolve<Answer>(given.$ref);
  return answer.schema ?? answer.content?.["application/json"]?.schema;
}

function followed(document: unknown, ref: string): unknown {
  let at = document;
  for (const key of ref.replace(/^#\//, "").split("/")) {
    at = (at as Record<string, unknown> | undefined)?.[key];
  }
  if (at === undefined) throw new Error(`the description has no ${ref}`);
  return at;
}
