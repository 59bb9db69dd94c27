// Holds one request and its answer against an API description: path, method, query, body, status and
// what was answered.
import type { Description, Operation } from "./description.ts";
import { isObject, violations, type Schema } from "./schema.ts";

export type Exchange = {
  method: string;
  /** Below the API's base, without the query. */
  path: string;
  query: URLSearchParams;
  /** As it was sent and answered; undefined where there was none. */
  body: unknown;
  status: number;
  answer: unknown;
};

/** `part`: a fake that answers as one forge may be asked as another would be. */
export function exchangeFaults(
  description: Description,
  exchange: Exchange,
  part: "request" | "all" = "all",
): string[] {
  const { method, path, status } = exchange;
  const operation = description.find(method, path);
  if (operation === undefined) return [`${method} ${path}: ${description.api} has no such request`];
  const faults = [
    ...queryFaults(description, operation, exchange),
    ...bodyFaults(description, operation, exchange),
    ...(part === "all" ? answerFaults(description, operation, exchange) : []),
  ];
  return faults.map((fault) => `${operation.name} → ${status}: ${fault}`);
}

function queryFaults({ rules }: Description, operation: Operation, { query }: Exchange): string[] {
  const faults = [...query.keys()].flatMap((name) => {
    const known = operation.query.find((one) => one.name === name);
    if (known === undefined) return [`the query has ${name}, which is not described`];
    const value = typed(known.schema, query.getAll(name));
    return violations(rules, known.schema, value).map((fault) => `query ${name}: ${fault}`);
  });
  const missing = operation.query.filter(({ name, required }) => required && !query.has(name));
  return [...faults, ...missing.map(({ name }) => `the query lacks ${name}`)];
}

/** A query is text; what it stands for follows from its type. */
function typed(schema: Schema, given: string[]): unknown {
  const [text = ""] = given;
  if (schema.type === "array") return given;
  const isNumber = schema.type === "integer" || schema.type === "number";
  if (isNumber && /^-?\d+$/.test(text)) return Number(text);
  return schema.type === "boolean" && /^(?:true|false)$/.test(text) ? text === "true" : text;
}

/** A body that asks for nothing proves what a token may do, and must be refused. */
const isProbe = ({ body, status }: Exchange): boolean =>
  isObject(body) && Object.keys(body).length === 0 && status >= 400;

function bodyFaults(
  { rules, alsoSent }: Description,
  { body }: Operation,
  exchange: Exchange,
): string[] {
  if (isProbe(exchange)) return [];
  if (exchange.body === undefined) return body?.required === true ? ["the body is missing"] : [];
  if (body === undefined) return ["a body was sent, and none is described"];
  const sent = isObject(exchange.body) ? without(exchange.body, alsoSent) : exchange.body;
  return violations(rules, body.schema, sent).map((fault) => `body ${fault}`);
}

const without = (body: Record<string, unknown>, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));

function answerFaults(
  { rules, general, error }: Description,
  { answers }: Operation,
  { status, answer }: Exchange,
): string[] {
  if (!answers.has(status) && !general.has(status)) return ["this status is not described"];
  const own = answers.get(status);
  const schema = own ?? (status >= 400 ? error : undefined);
  if (schema === undefined) {
    return answer === undefined ? [] : ["an answer was given, and none is described"];
  }
  // Refusals by a proxy have no body, or one of their own.
  if (answer === undefined) return status >= 400 ? [] : ["the answer is missing"];
  return violations(rules, schema, answer).map((fault) => `answer ${fault}`);
}
