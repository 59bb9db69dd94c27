// factory.toml in PAWL_HOME: what holds for the whole factory and belongs to no repository, so that it
// cannot be in a pawl.toml. Without the file, every setting has its default.
import * as z from "zod";
import { locateKeys } from "./locate.ts";
import { formatKey, formatProblems, type Problem } from "./problem.ts";
import { parseToml } from "./toml.ts";

export const FACTORY_FILE = "factory.toml";

const GB = 1_000_000_000;

const schema = z.strictObject({
  home: z
    .strictObject({
      max_gb: z
        .number()
        .positive()
        .max(1_000_000)
        .optional()
        .describe("Gigabytes that PAWL_HOME may take on the disk. Default: no bound."),
    })
    .prefault({}),
  page: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .describe(
          "The daemon opens the page's port at its start. Default: when a link is asked for.",
        ),
    })
    .prefault({}),
});

export type FactorySettings = { homeMaxBytes?: number; pageEnabled?: true };

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
  const { home, page } = read.data;
  return {
    kind: "valid",
    settings: {
      ...(home.max_gb === undefined ? {} : { homeMaxBytes: home.max_gb * GB }),
      ...(page.enabled ? { pageEnabled: true } : {}),
    },
  };
}

const invalid = (problems: Problem[]): ReadSettings => ({
  kind: "invalid",
  problem: formatProblems(problems),
});
