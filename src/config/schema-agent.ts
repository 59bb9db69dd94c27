// The section [agent] of pawl.toml: what runs as the agent, and what it may see and do. Each runtime
// with settings of its own has a table [agent.NAME] here, made from its data.
import * as z from "zod";
import { RUNTIMES, runtimeNamed } from "../adapters/runtimes.ts";
import type { AgentConfig } from "../core/config.ts";
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
    .describe("A usage limit of its account is over: work resumes, or you are asked."),
  limit_retry: field
    .duration()
    .prefault("15 min")
    .describe("A usage limit that names no end is tried again after this long."),
};

type Table = z.ZodType<Record<string, string | string[] | undefined>>;

const tables: Record<string, z.ZodOptional<Table>> = Object.fromEntries(
  RUNTIMES.flatMap(({ name, settings }) =>
    settings === undefined
      ? []
      : [[name, tableOf(settings).optional().describe(`Only for runtime "${name}".`)]],
  ),
);

/** Its type leaves the tables out: which there are is known only to the runtimes. */
export const agent: z.ZodObject<typeof known, z.core.$strict> = z.strictObject({
  ...known,
  ...tables,
});

/** What [agent.NAME] of the chosen runtime says, with the defaults of what it does not say. */
export function completeSettings(
  written: z.output<typeof agent>,
): Pick<AgentConfig, "model" | "settings"> {
  const { settings } = runtimeNamed(written.runtime) ?? {};
  if (settings === undefined) return {};
  const table = (written as Record<string, unknown>)[written.runtime];
  const values = tableOf(settings).parse(table ?? {});
  const complete: NonNullable<AgentConfig["settings"]> = {};
  let model: string | undefined;
  for (const [name, { kind }] of Object.entries(settings)) {
    const value = values[writtenName(name)];
    if (kind === "model") model = typeof value === "string" ? value : undefined;
    else if (value !== undefined) complete[name] = value;
  }
  return { ...(model === undefined ? {} : { model }), settings: complete };
}

function tableOf(settings: Settings): Table {
  const keys = Object.entries(settings).map(([name, setting]) => {
    const { meaning: description, example } = setting;
    const examples = example === undefined ? {} : { examples: [example] };
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
    case "model":
      return field.text().optional();
  }
}

/** `permissionMode` is written `permission_mode`. */
function writtenName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
