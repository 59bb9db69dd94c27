// Which issue waits for which, and the rings that can never end.
import type { DependenciesView } from "../../api/issues.ts";
import { cycles } from "../../core/project/backlog.ts";
import { dependencies } from "../../lib/issue-dependencies.ts";
import type { Forge } from "../../ports/forge.ts";

type Node = DependenciesView["issues"][number];

export async function dependenciesView(
  forge: Pick<Forge, "issue" | "issues">,
): Promise<DependenciesView> {
  const open = await forge.issues({ state: "open" });
  const nodes = new Map<number, Node>();
  for (const { number, title, state, body } of open) {
    nodes.set(number, { number, title, state, depends_on: dependencies(body, number) });
  }
  for (const number of [...nodes.values()].flatMap((node) => node.depends_on)) {
    if (!nodes.has(number)) nodes.set(number, await leafOf(forge, number));
  }
  const issues = [...nodes.values()].toSorted((a, b) => a.number - b.number);
  const edges = issues.map((node) => ({ number: node.number, unmet: node.depends_on }));
  return { issues, cycles: cycles(edges) };
}

/** The dependencies of a closed issue do not matter any more. */
async function leafOf(forge: Pick<Forge, "issue">, number: number): Promise<Node> {
  const issue = await forge.issue(number);
  const { title, state } = issue ?? { title: "", state: "missing" as const };
  return { number, title, state, depends_on: [] };
}
