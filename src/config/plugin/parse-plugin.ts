// A plugin.md: YAML front matter between two lines of dashes, then the prompt. A problem is
// reported with its key, and an invalid plugin does not affect the others. Pure.
import { Cron } from "croner";
import { parse, YAMLParseError } from "yaml";
import * as z from "zod";
import type { Plugin, PluginGate, PluginWork } from "../../core/plugin/plugin.ts";
import { SIGNAL_KINDS } from "../../core/signal.ts";
import { parseDuration } from "../../lib/duration.ts";

export type ParsedPlugin = { kind: "valid"; plugin: Plugin } | { kind: "invalid"; problem: string };

/** `script`: how its run.sh is started, where it has one. */
export type PluginFile = {
  name: string;
  from: Plugin["from"];
  text: string;
  script: string[] | undefined;
};

const TIMEOUT_DEFAULT = "10 min";
const NAME = /^[a-z0-9][a-z0-9._-]{0,50}$/;
const FRONT = /^\uFEFF?---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n(.*))?$/s;

const duration = z.string().transform((text, context) => {
  const durationMs = parseDuration(text);
  if (durationMs !== undefined && durationMs >= 1000) return durationMs;
  context.issues.push({ code: "custom", message: `"${text}" is not a duration`, input: text });
  return z.NEVER;
});
const argv = z.array(z.string().min(1)).min(1).max(100);
const command = z.union([
  argv,
  z
    .string()
    .min(1)
    .transform((text) => ["sh", "-c", text]),
]);

/** Once after every start of the daemon, and in every round of the deacon. */
const MOMENTS: readonly string[] = ["startup", "heartbeat"];
const TRIGGER = /^TRIGGER:?\s+(?<name>[A-Za-z0-9._-]{1,100})$/;

/** A name that is misspelled would never open its gate, in silence. */
const event = z.string().transform((text, context) => {
  const trigger = TRIGGER.exec(text)?.groups?.["name"];
  if (trigger !== undefined) return trigger;
  if (MOMENTS.includes(text) || SIGNAL_KINDS.some((kind) => kind === text)) return text;
  const known = [...MOMENTS, ...SIGNAL_KINDS].join(", ");
  context.issues.push({
    code: "custom",
    message: `"${text}" is not an event; write one of ${known}, or "TRIGGER: ${text}" for letters of that subject`,
    input: text,
  });
  return z.NEVER;
});

const gate = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("cooldown"), duration }),
  z.strictObject({
    type: z.literal("cron"),
    schedule: z.string().min(1),
    tz: z.string().default("UTC"),
  }),
  z.strictObject({ type: z.literal("condition"), check: command }),
  z.strictObject({ type: z.literal("event"), on: event }),
  z.strictObject({ type: z.literal("manual") }),
]);

const front = z.strictObject({
  name: z.string().optional(),
  description: z.string().max(500).default(""),
  gate,
  parallel: z.boolean().default(false),
  timeout: duration.prefault(TIMEOUT_DEFAULT),
  run: command.optional(),
});

export function parsePlugin(file: PluginFile): ParsedPlugin {
  const { name, from, text, script } = file;
  if (!NAME.test(name))
    return invalid(`its folder "${name}" is not a valid name: use a–z, 0–9, ".", "_", "-"`);
  const match = FRONT.exec(text);
  if (match === null)
    return invalid("plugin.md does not begin with front matter between lines of ---");
  const read = readYaml(match[1] ?? "");
  if (read.kind === "invalid") return read;
  const parsed = front.safeParse(read.value);
  if (!parsed.success) return invalid(parsed.error.issues.map(issueText).join("; "));
  const { gate: written, parallel, timeout: timeoutMs, run, description } = parsed.data;
  if (parsed.data.name !== undefined && parsed.data.name !== name) {
    return invalid(`name is "${parsed.data.name}", but its folder is "${name}"`);
  }
  const problem = written.type === "cron" ? cronProblem(written) : undefined;
  if (problem !== undefined) return invalid(problem);
  const work = workOf(run ?? script, match[2] ?? "");
  if (work === undefined) return invalid("it has neither run, nor a run.sh, nor a prompt");
  const plugin = { name, from, description, gate: gateOf(written), parallel, timeoutMs, work };
  return { kind: "valid", plugin };
}

const invalid = (problem: string): { kind: "invalid"; problem: string } => ({
  kind: "invalid",
  problem,
});

function readYaml(
  text: string,
): { kind: "read"; value: unknown } | { kind: "invalid"; problem: string } {
  try {
    return { kind: "read", value: parse(text, { maxAliasCount: 0 }) as unknown };
  } catch (error) {
    if (error instanceof YAMLParseError) {
      return invalid(`line ${error.linePos?.[0].line ?? 1} of its front matter: ${error.code}`);
    }
    // Aliases, which front matter needs none of, are refused with a ReferenceError.
    if (error instanceof ReferenceError) return invalid(error.message);
    throw error;
  }
}

const issueText = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`;

function cronProblem({ schedule, tz }: { schedule: string; tz: string }): string | undefined {
  try {
    new Cron(schedule, { timezone: tz, paused: true }).nextRun();
    return undefined;
  } catch (error) {
    return `gate.schedule "${schedule}" (${tz}): ${error instanceof Error ? error.message : String(error)}`;
  }
}

function gateOf(written: z.output<typeof gate>): PluginGate {
  switch (written.type) {
    case "cooldown":
      return { kind: "cooldown", durationMs: written.duration };
    case "cron":
      return { kind: "cron", pattern: written.schedule, timeZone: written.tz };
    case "condition":
      return { kind: "condition", check: written.check };
    case "event":
      return { kind: "event", on: written.on };
    case "manual":
      return { kind: "manual" };
  }
}

/** A script comes before a prompt: it needs no model. */
function workOf(script: string[] | undefined, prompt: string): PluginWork | undefined {
  if (script !== undefined) return { kind: "script", argv: script };
  return prompt.trim() === "" ? undefined : { kind: "prompt", text: prompt.trim() };
}
