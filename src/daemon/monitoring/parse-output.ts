// Lets a small model read the end of a session's output, and believes it only if its answer has the
// form that was asked for. The output is material: the model gets no tools.
import { join } from "node:path";
import { RUNTIMES } from "../../adapters/runtimes.ts";
import { run } from "../../adapters/shared/run.ts";
import { openUntrusted } from "../../adapters/shared/untrusted-file.ts";
import { chooseConfig } from "../../config/load.ts";
import {
  contractOf,
  firstObject,
  parsePrompt,
  violations,
} from "../../core/monitoring/parse-contract.ts";
import { assert } from "../../lib/assert.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Environment, MonitorPlace } from "./monitor-place.ts";
import { ownEnvironment } from "./own-environment.ts";
import { readIfThere } from "./story-files.ts";

export type ParsedOutput =
  | { kind: "parsed"; value: Record<string, unknown> }
  | { kind: "error"; reason: string; detail?: string };

const TIMEOUT_MS = 120_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const END_BYTES = 256 * 1024;
const MODEL = "haiku";
const JUDGE = "You read the output of programs and answer with JSON.";

export async function parseOutput(
  { root, env }: MonitorPlace,
  { file, step }: { file: string; step: string },
): Promise<ParsedOutput> {
  const contract = contractOf(step);
  if (contract === undefined) return { kind: "error", reason: "parse_contract_invalid" };
  const output = await readEnd(file);
  if (output.trim() === "") return { kind: "error", reason: "output file not found or empty" };
  const answer = await askModel({ root, env }, parsePrompt(contract, output));
  if (typeof answer !== "string") return answer;
  const value = firstObject(answer);
  if (value === undefined) return { kind: "error", reason: "sub-agent returned invalid json" };
  const wrong = violations(contract, value);
  if (wrong.length === 0) return { kind: "parsed", value };
  const detail = `missing or of another type: ${wrong.join(", ")}`;
  return { kind: "error", reason: "sub-agent returned invalid json", detail };
}

async function askModel(
  { root, env }: { root: string; env: Environment },
  prompt: string,
): Promise<string | Extract<ParsedOutput, { kind: "error" }>> {
  try {
    const { stdout } = await run({
      argv: await modelCommand(root, env),
      cwd: root,
      env: { ...ownEnvironment(env), STORY_AUTOMATOR_CHILD: "true" },
      timeoutMs: TIMEOUT_MS,
      maxBytes: ANSWER_MAX_BYTES,
      stdin: prompt,
      what: "let a small model read the output",
    });
    return stdout;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const late = error.code === "command-timeout";
    const reason = late ? "sub-agent call timed out" : "sub-agent call failed";
    return { kind: "error", reason, detail: error.message };
  }
}

/** AI_PARSE_COMMAND reads the prompt on stdin; otherwise the first agent that can judge does. */
async function modelCommand(root: string, env: Environment): Promise<[string, ...string[]]> {
  const own = env["AI_PARSE_COMMAND"];
  if (own !== undefined && own.trim() !== "") return ["sh", "-c", own];
  const judge = RUNTIMES.find(({ monitored }) => monitored?.judge !== undefined)?.monitored?.judge;
  assert(judge !== undefined, "a runtime can judge the output of sessions");
  return judge({ model: await modelName(root, env), system: JUDGE });
}

/** What this call says, else what the project says. */
async function modelName(root: string, env: Environment): Promise<string> {
  const named = env["PAWL_SMALL_MODEL"];
  if (named !== undefined && named !== "") return named;
  const inCheckout = await readIfThere(join(root, "pawl.toml"));
  const chosen = chooseConfig({ atTarget: undefined, inCheckout });
  return (chosen.kind === "valid" ? chosen.config.monitoring?.smallModel : undefined) ?? MODEL;
}

async function readEnd(file: string): Promise<string> {
  await using handle = await openUntrusted(file, { follow: true });
  if (handle === undefined) return "";
  const { size } = await handle.stat();
  const length = Math.min(size, END_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString("utf8", 0, bytesRead);
}
