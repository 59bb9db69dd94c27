// Files the `action` issue that asks for a run of a formula: its front matter names the formula,
// the variables and the model. While one that asks for the same is open, no second one is made.
import type { Formula } from "../../core/formula/formula.ts";
import { LABELS } from "../../core/issue.ts";
import { oneLine } from "../../lib/one-line.ts";
import type { Forge } from "../../ports/forge.ts";

export type IssueWish = {
  formula: Formula;
  vars: Record<string, string>;
  key: string;
  by: string;
};

/** JSON is YAML too, and a value cannot end its line. */
export function frontMatter({ formula, vars }: Pick<IssueWish, "formula" | "vars">): string {
  const lines = [
    `formula: ${JSON.stringify(formula.name)}`,
    ...(Object.keys(vars).length === 0 ? [] : [`vars: ${JSON.stringify(vars)}`]),
    ...(formula.model === undefined ? [] : [`model: ${JSON.stringify(formula.model)}`]),
  ];
  return `---\n${lines.join("\n")}\n---\n`;
}

export async function fileIssue(
  forge: Forge,
  wish: IssueWish,
): Promise<{ number: number; made: boolean }> {
  const front = frontMatter(wish);
  const open = await forge.issues({ state: "open" });
  const known = open.find(
    ({ labels, body }) => labels.includes(LABELS.action) && body.startsWith(front),
  );
  if (known !== undefined) return { number: known.number, made: false };
  const { formula, vars, key, by } = wish;
  const given = Object.entries(vars).map(([name, value]) => `${name}=${value}`);
  const title = `Run ${formula.name}${given.length === 0 ? "" : ` (${given.join(", ")})`}`;
  const { number } = await forge.createIssue({
    title: oneLine(title).slice(0, 200),
    body: `${front}\n${formula.description.trim()}\n`,
    labels: [LABELS.action],
    key,
    author: by,
  });
  return { number, made: true };
}
