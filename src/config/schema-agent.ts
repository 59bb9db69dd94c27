// The section [agent] of pawl.toml: what runs as the agent, and what it may see and do. Each runtime
// with settings of its own has a table [agent.NAME] here, made from its data.
import * as z from "zod";
import { RUNTIMES, runtimeNamed } from "../adapters/runtimes.ts";
import type { AgentConfig } from "../core/config.ts";
import { ROLES } from "../core/task.ts";
import type { Setting, Settings } from "../ports/runtime.ts";
import * as field from "./fields.ts";

const known = {
  runtime: z.enum(RUNTIMES.map(({ name }) => name)).describe("What runs as the agent."),
  command: field.argv().optional().describe("The program and its arguments."),
  pass_env: z
    .array(field.variableName())
    .max(200)
    .default([])
    .describe("Variables of your environment that the agent may see."),
  env: z
    .record(field.variableName(), z.string())
    .default({})
    .describe("Variables set for the agent. Never secrets: this file is committed."),
  after_limit: z
    .enum(["resume", "ask"])
    .default("resume")
    .describe(
      "After a usage limit of the account has ended: resume the work, or ask you first. Pawl never asks about a limit that ends within 5 minutes.",
    ),
  limit_retry: field
    .duration()
    .prefault("15 min")
    .describe("After a usage limit without an end time, try again after this long."),
  fallback: z
    .array(field.text())
    .max(10)
    .default([])
    .describe(
      "Runtimes or accounts that continue in the same workspace, in this order, if the agent is limited or cannot start.",
    ),
  fallback_after: field
    .duration()
    .prefault("5 min")
    .describe("Wait for a usage limit that ends within this time, instead of using a fallback."),
};

type Table = z.ZodType<Record<string, string | string[] | undefined>>;

const tables: Record<string, z.ZodOptional<Table>> = Object.fromEntries(
  RUNTIMES.flatMap(({ name, settings }) =>
    settings === undefined
      ? []
      : [[name, tableOf(settings).optional().describe(`Only for runtime "${name}".`)]],
  ),
);

const model = field.text().optional().describe("The model, if this agent supports models.");

const settings = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    "Settings of its runtime, as in [agent.RUNTIME]; missing keys have the values from there.",
  );

const rule = z
  .strictObject({
    label: field.text().optional().describe("For issues with this label."),
    role: z.enum(ROLES).optional().describe("For runs of this role."),
    runtime: known.runtime.optional(),
    account: field
      .gateName()
      .optional()
      .describe("One of [[agent.account]], instead of a runtime."),
    model,
    settings,
  })
  .describe("Another agent for some of the work; the first that fits counts.");

const account = z
  .strictObject({
    name: field.gateName().describe("Its name in `fallback`, [[agent.for]] and issues."),
    runtime: known.runtime,
    home: field
      .text()
      .optional()
      .describe("The folder where the program keeps this account, e.g. its login."),
    command: known.command,
    pass_env: known.pass_env,
    env: known.env,
    model,
    settings,
  })
  .describe("Another account or program of an agent, with limits of its own.");

const keys = {
  ...known,
  for: z.array(rule).max(50).optional(),
  account: z.array(account).max(20).optional(),
};

/** Its type leaves the tables out: which there are is known only to the runtimes. */
export const agent: z.ZodObject<typeof keys, z.core.$strict> = z.strictObject({
  ...keys,
  ...tables,
});

export type WrittenRule = z.output<typeof rule>;
export type WrittenAccount = z.output<typeof account>;

/**
 * What [agent.NAME] of the runtime says, with the defaults of what it does not say. `own`: settings
 * of one rule or account.
 */
export function completeSettings(
  written: z.output<typeof agent>,
  { runtime, own = {} }: { runtime: string; own?: Record<string, unknown> | undefined },
): Pick<AgentConfig, "model" | "settings"> {
  const { settings: known } = runtimeNamed(runtime) ?? {};
  if (known === undefined) return {};
  const table = (written as Record<string, unknown>)[runtime] ?? {};
  const values = tableOf(known).parse({ ...(table as Record<string, unknown>), ...own });
  const complete: NonNullable<AgentConfig["settings"]> = {};
  let chosen: string | undefined;
  for (const [name, { kind }] of Object.entries(known)) {
    const value = values[writtenName(name)];
    if (kind === "model") chosen = typeof value === "string" ? value : undefined;
    else if (value !== undefined) complete[name] = value;
  }
  return { ...(chosen === undefined ? {} : { model: chosen }), settings: complete };
}

/** What is wrong with the settings of one rule or account; undefined where nothing is. */
export function settingsProblem(runtime: string, own: unknown): string | undefined {
  const found = runtimeNamed(runtime);
  if (own === undefined || found === undefined) return undefined;
  const { settings: known } = found;
  if (known === undefined)
    return ` is for a runtime with settings; "${runtime}" has none. Remove it.`;
  const read = tableOf(known).safeParse(own);
  if (read.success) return undefined;
  const [issue] = read.error.issues;
  const key = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path.join(".");
  const names = Object.keys(known).map(writtenName).join(", ");
  return `.${String(key)} cannot be used: ${issue?.message ?? "invalid"}. Settings of "${runtime}": ${names}.`;
}

function tableOf(settings: Settings): Table {
  const keys = Object.entries(settings).map(([name, setting]) => {
    const { meaning: description, example } = setting;
    const shown = setting.kind === "text" ? example?.[0] : example;
    const examples = shown === undefined ? {} : { examples: [shown] };
    return [writtenName(name), valueOf(setting).meta({ description, ...examples })] as const;
  });
  return z.strictObject(Object.fromEntries(keys));
}

function valueOf(setting: Setting): z.ZodType<string | string[] | undefined> {
  switch (setting.kind) {
    case "choice":
      return z.enum(setting.choices).default(setting.assumed);
    case "texts":
      return z
        .array(field.text())
        .max(200)
        .default([...setting.assumed]);
    case "arguments":
      return z.array(z.string()).max(100).default([]);
    case "text":
    case "model":
      return field.text().optional();
  }
}

/** `permissionMode` is written `permission_mode`. */
function writtenName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
