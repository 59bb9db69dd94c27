// Every table at the widths that terminals have: no line is wider, so that none wraps inside a word.
// The rows are made from the schemas of the API, with values as long as they come.
import type { Command } from "@commander-js/extra-typings";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { NOW, pawlOnTty } from "../../test/support/pawl-cli.ts";
import { answerTo } from "../api/answers.ts";
import { textWidth } from "../lib/text-width.ts";
import { describedCommands } from "../../test/support/commands.ts";

const WIDTHS = [60, 80, 100, 160];

/** What is typed, and what it asks. */
const TABLES: [string, string, string?][] = [
  ["agents --include-ended", "/v1/agents", "?all=true"],
  ["status", "/v1/status", ""],
  ["issue list", "/v1/issues", "?state=open&limit=101"],
  ["issue deps", "/v1/dependencies"],
  ["pr list", "/v1/prs", "?state=open"],
  ["ci list", "/v1/checks"],
  ["merge-queue list --state all", "/v1/queue"],
  ["merge-queue status", "/v1/queue"],
  ["formula list", "/v1/formulas"],
  ["formula status", "/v1/formulas/runs"],
  ["role log", "/v1/roles/log"],
  ["gate list --state all", "/v1/gates", "?all=true"],
  ["escalation list", "/v1/escalations"],
  ["mail inbox", "/v1/mail", "?for=operator"],
  ["patrol status", "/v1/patrols"],
  ["patrol pending", "/v1/patrols/pending"],
  ["schedule list", "/v1/schedules"],
  ["plugin list", "/v1/plugins"],
  ["plugin log", "/v1/plugins/log"],
  ["checkpoint list 7", "/v1/checkpoints/7", "?limit=50"],
  ["history", "/v1/history", "?kind=run"],
  ["costs", "/v1/costs", "?by=issue&limit=100"],
  ["vault list", "/v1/vault"],
  ["notify list", "/v1/notify"],
  ["doctor --verbose", "/v1/doctor"],
  ["signals", "/v1/signals"],
  ["project list", "/v1/status", "?all=true"],
];

type Node = Record<string, unknown>;

/** Long values for everything: what a person sees on a bad day. */
function sample(node: Node, name = ""): unknown {
  const variants = (node["anyOf"] ?? node["oneOf"]) as Node[] | undefined;
  if (variants !== undefined) {
    return sample(variants.find(({ type }) => type !== "null") ?? {}, name);
  }
  if (node["const"] !== undefined) return node["const"];
  if (Array.isArray(node["enum"])) return node["enum"].at(-1);
  switch (node["type"]) {
    case "array":
      return [sample(node["items"] as Node, name), sample(node["items"] as Node, name)];
    case "object":
      return Object.fromEntries(
        Object.entries((node["properties"] as Record<string, Node> | undefined) ?? {}).map(
          ([key, value]) => [key, sample(value, key)],
        ),
      );
    case "number":
    case "integer":
      return 123_456;
    case "boolean":
      return true;
    default:
      return textFor(name);
  }
}

function textFor(name: string): string {
  if (/(?:_at|^at|since|seen|until|heartbeat|when|^next|^last)$/.test(name)) {
    return new Date(NOW - 7_200_000).toISOString();
  }
  if (/path|root|workspace|worktree/.test(name)) {
    return "/home/ada/.local/state/pawl/projects/a-project-with-a-long-name/workspaces/dev-42";
  }
  if (/^(?:project|name|identity|id|session_id|branch|tmux_session)$/.test(name)) {
    return `${name}-with-a-rather-long-name-42`;
  }
  return "A sentence of several words, as agents and people write them into titles and reasons";
}

describe.each(TABLES)("%s", (typed, path, query = "") => {
  test.each(WIDTHS)("fits %i columns", async (columns) => {
    const schema = answerTo("GET", path);
    expect(schema, `${path} has a schema`).toBeDefined();
    const answer = sample(z.toJSONSchema(schema as z.ZodType, { unrepresentable: "any" }) as Node);
    const answers = { [`GET ${path}${query}`]: answer };
    const { stdout, stderr } = await pawlOnTty(typed.split(" "), { answers, columns });
    expect(stdout, stderr).not.toBe("");
    const wide = stdout.split("\n").filter((line) => textWidth(line) > columns);
    expect(wide).toEqual([]);
    // What is cut ends after a word, or at a separator of a path or a branch.
    const broken = stdout.split("\n").filter((line) => /[\p{L}\d]…/u.test(line));
    expect(broken).toEqual([]);
  });
});

/** Too wide although it could be broken between two words; what stands in backticks stays whole. */
const isTooWide = (line: string, columns: number): boolean =>
  textWidth(line) > columns && /\S\s+\S/.test(line.trim().replaceAll(/`[^`]*`/g, "x"));

describe("help and explanations", async () => {
  const paths = everyCommand(await describedCommands());
  test.each(WIDTHS)("of every command fit %i columns", async (columns) => {
    const wide: string[] = [];
    for (const path of [...paths.map((one) => [...one, "--help"]), ["config", "explain"]]) {
      const { stdout } = await pawlOnTty(path, { columns });
      expect(stdout).not.toBe("");
      wide.push(...stdout.split("\n").filter((line) => isTooWide(line, columns)));
    }
    expect(wide).toEqual([]);
  });
});

function everyCommand(command: Command, path: string[] = []): string[][] {
  const subcommands = command.commands as unknown as Command[];
  return [path, ...subcommands.flatMap((sub) => everyCommand(sub, [...path, sub.name()]))];
}
