// factory.toml in PAWL_HOME: what holds for the whole factory and belongs to no repository, so that it
// cannot be in a pawl.toml. Without the file, every setting has its default.
import * as z from "zod";
import { PROVIDER_NAMES, type ProviderName } from "../ports/session-gateway.ts";
import * as field from "./fields.ts";
import { locateKeys } from "./locate.ts";
import { formatKey, formatProblems, type Problem } from "./problem.ts";
import { parseToml } from "./toml.ts";

export const FACTORY_FILE = "factory.toml";

const GB = 1_000_000_000;

const ORIGINS_MAX = 8;

/** Scheme, host and port, and nothing behind: requests are compared with exactly this. */
const isTlsOrigin = (text: string): boolean =>
  /^https:\/\/[\w.-]+(?::\d+)?$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

const schema = z.strictObject({
  home: z
    .strictObject({
      max_gb: z
        .number()
        .positive()
        .max(1_000_000)
        .optional()
        .describe("Gigabytes that PAWL_HOME may take on the disk. Default: no limit."),
    })
    .prefault({}),
  page: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .describe(
          "The daemon opens the page's port when it starts. Default: when you run `pawl page`.",
        ),
      origins: z
        .array(
          z
            .string()
            .refine(
              isTlsOrigin,
              'must be an origin with TLS, such as "https://host.example.ts.net"',
            ),
        )
        .max(ORIGINS_MAX)
        .default([])
        .describe(
          "Where a proxy with TLS, such as `tailscale serve`, serves the page as well. Default: nowhere.",
        ),
    })
    .prefault({}),
  gateway: z
    .strictObject({
      keys: z
        .record(
          field.gateName(),
          z.strictObject({
            provider: z.enum(PROVIDER_NAMES).describe("The provider whose API the key is for."),
            variable: field
              .variableName()
              .describe("The variable that holds the key, in the environment or PAWL_HOME/.env."),
            url: field
              .url()
              .optional()
              .describe("The address of the API, if it is not the provider's own."),
          }),
        )
        .default({}),
    })
    .prefault({}),
});

export type FactorySettings = {
  homeMaxBytes?: number;
  pageEnabled?: true;
  /** Where proxies with TLS serve the page. */
  pageOrigins?: string[];
  /** Only where one is written. */
  keys?: Record<string, KeySettings>;
};

/** `variable`: of the environment or of PAWL_HOME/.env, where the key itself is. */
export type KeySettings = { provider: ProviderName; variable: string; url?: string };

export type ReadSettings =
  | { kind: "valid"; settings: FactorySettings }
  /** `problem`: why the text cannot be used, in words. */
  | { kind: "invalid"; problem: string };

export function parseFactorySettings(text: string): ReadSettings {
  const document = parseToml(text, FACTORY_FILE);
  if (document.kind === "invalid") return invalid(document.problems);
  const read = schema.safeParse(document.root);
  if (!read.success) {
    const locate = locateKeys(text);
    const problems = read.error.issues.map(({ path, message }) => {
      const key = formatKey(path);
      return { file: FACTORY_FILE, line: locate(path), key, message: `${key}: ${message}.` };
    });
    return invalid(problems);
  }
  const { home, page, gateway } = read.data;
  const keys = Object.entries(gateway.keys).map(([name, { url, ...key }]) => {
    return [name, { ...key, ...(url === undefined ? {} : { url }) }] as const;
  });
  return {
    kind: "valid",
    settings: {
      ...(home.max_gb === undefined ? {} : { homeMaxBytes: home.max_gb * GB }),
      ...(page.enabled ? { pageEnabled: true } : {}),
      ...(page.origins.length > 0 ? { pageOrigins: page.origins } : {}),
      ...(keys.length === 0 ? {} : { keys: Object.fromEntries(keys) }),
    },
  };
}

const invalid = (problems: Problem[]): ReadSettings => ({
  kind: "invalid",
  problem: formatProblems(problems),
});
