// The vault's hands: webhooks and programs, with secrets put in at the last moment and taken out of
// everything that is said about them.
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { secretsOf, withSecrets } from "../../core/vault/vault-action.ts";
import type { FiringOutcome } from "../../core/vault/item.ts";
import { errorCode } from "../../lib/error-code.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { FiringRequest, Firing } from "../../ports/firing.ts";
import { httpCall } from "../shared/http-call.ts";
import { run } from "../shared/run.ts";

const WEBHOOK_MS = 30_000;
const PROGRAM_MS = 10 * 60_000;
const OUTPUT_MAX_BYTES = 1_000_000;
const SHOWN_MAX = 500;

export type FiringDeps = {
  secret: (name: string) => Promise<string | undefined>;
  environment: Readonly<Record<string, string>>;
};

type Values = Record<string, string>;

export const createFiring = (deps: FiringDeps): Firing => ({
  carryOut: async (request) => {
    const found = await look(deps, request);
    if (typeof found === "string") return { kind: "unsent", why: found };
    const outcome = await act(deps, request, found);
    return withoutSecrets(outcome, found);
  },
});

/** The values of all secrets that it names, or why it cannot have them. */
async function look(
  { secret }: FiringDeps,
  { action, secrets }: FiringRequest,
): Promise<Values | string> {
  const values: Values = {};
  for (const name of secretsOf(action)) {
    if (!secrets.includes(name)) return `the secret ${name} is not among [vault] secrets`;
    const value = await secret(name);
    if (value === undefined || value === "") return `the secret ${name} is not set`;
    values[name] = value;
  }
  return values;
}

function act(deps: FiringDeps, request: FiringRequest, values: Values): Promise<FiringOutcome> {
  const { action } = request;
  const fill = (text: string): string => withSecrets(text, values);
  const filled = (texts: Values): Values =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
  switch (action.kind) {
    case "webhook": {
      const { endpoint, method, headers, body } = action;
      const own = { "idempotency-key": request.key, "content-type": "application/json" };
      const url = fill(endpoint);
      return call({
        url,
        method,
        headers: { ...own, ...lowerCase(filled(headers)) },
        body: fill(body),
      });
    }
    case "command": {
      const env = { ...deps.environment, ...filled(action.env) };
      return start({ argv: action.argv, env, input: fill(action.input), folder: request.folder });
    }
    case "program":
      return startProgram(request.folder, action, { ...deps.environment, ...values });
  }
}

const lowerCase = (headers: Values): Values =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

async function call(request: {
  url: string;
  method: string;
  headers: Values;
  body: string;
}): Promise<FiringOutcome> {
  const outcome = await httpCall({ ...request, timeoutMs: WEBHOOK_MS });
  if (outcome.kind !== "answered") return outcome;
  const { status, text } = outcome;
  if (status >= 200 && status < 300) return { kind: "done", detail: `answered ${status}` };
  // The server received the request: it may have acted before it refused.
  return { kind: "unknown", why: `answered ${status}: ${text.trim()}` };
}

async function startProgram(
  folder: string,
  { script, payload }: { script: string; payload: string },
  env: Readonly<Values>,
): Promise<FiringOutcome> {
  const path = join(folder, "program");
  const why = await failureOf(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, script, { mode: 0o700 });
    await chmod(path, 0o700);
  });
  // Nothing has begun yet.
  if (why !== undefined) return { kind: "unsent", why };
  try {
    return await start({ argv: [path], env, input: payload, folder });
  } finally {
    // A script that stays is written over; its outcome is known all the same.
    await failureOf(() => rm(path, { force: true }));
  }
}

/** Why files cannot be made or removed, as on a full disk. */
async function failureOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || errorCode(error) === undefined) throw error;
    return error.message;
  }
}

async function start(request: {
  argv: string[];
  env: Readonly<Values>;
  input: string;
  folder: string;
}): Promise<FiringOutcome> {
  const { argv, env, input, folder } = request;
  const [program = "", ...rest] = argv;
  const why = await failureOf(() => mkdir(folder, { recursive: true, mode: 0o700 }));
  if (why !== undefined) return { kind: "unsent", why };
  try {
    const { stdout } = await run({
      argv: [program, ...rest],
      cwd: folder,
      env,
      stdin: input,
      timeoutMs: PROGRAM_MS,
      maxBytes: OUTPUT_MAX_BYTES,
      overflow: "truncate",
      what: "carry out what the vault let through",
    });
    return { kind: "done", detail: stdout.trim() };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // A program that is not there never began.
    const kind = error.code === "command-missing" ? "unsent" : "unknown";
    return { kind, why: error.message };
  }
}

function withoutSecrets(outcome: FiringOutcome, values: Values): FiringOutcome {
  const clean = (text: string): string => {
    let cleaned = text;
    for (const value of Object.values(values)) cleaned = cleaned.replaceAll(value, "***");
    return cleaned.slice(0, SHOWN_MAX);
  };
  return outcome.kind === "done"
    ? { kind: "done", detail: clean(outcome.detail) }
    : { kind: outcome.kind, why: clean(outcome.why) };
}
