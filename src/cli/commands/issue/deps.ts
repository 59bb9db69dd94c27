// Shows which issue waits for which: a tree for people, one line per dependency for pipes.
import type { DependenciesView } from "../../../api/issues.ts";
import type { Deps } from "../../deps.ts";
import { dependencies } from "../../../lib/issue-dependencies.ts";
import { formatTsv } from "../../../lib/table.ts";
import { textWidth } from "../../../lib/text-width.ts";
import { printJson } from "../../output/rows.ts";
import { cutAfterWord } from "../../output/table.ts";
import { harmless, paint } from "../../output/text.ts";
import { OperationError } from "../../../lib/operation-error.ts";

type Node = DependenciesView["issues"][number];

export async function showDependencies(
  deps: Deps,
  number: number | undefined,
  options: { json?: true | undefined },
): Promise<void> {
  const view = await deps.client.get<DependenciesView>("/v1/dependencies");
  const nodes = new Map(view.issues.map((node) => [node.number, node]));
  if (number !== undefined && !nodes.has(number)) throw notOpen(number);
  const wanted = number === undefined ? view.issues : reachable(nodes, number);
  const cycles = view.cycles.filter((ring) => ring.every((one) => wanted.some(is(one))));
  if (options.json === true) {
    printJson(deps, { issues: wanted, cycles });
    return;
  }
  const edges = wanted.flatMap((node) => node.depends_on.map((on) => ({ node, on })));
  if (edges.length === 0) {
    deps.stderr(
      number === undefined
        ? "no issue waits for another\n"
        : `#${number} waits for no other issue\n`,
    );
    return;
  }
  if (deps.isTty)
    deps.stdout(trees(deps, nodes, number === undefined ? rootsOf(wanted) : [number]));
  else {
    const state = (on: number): string => nodes.get(on)?.state ?? "missing";
    deps.stdout(
      formatTsv(edges.map(({ node, on }) => [String(node.number), String(on), state(on)])),
    );
  }
  for (const ring of cycles) deps.stderr(`${ringText(ring)}: none of these issues can start\n`);
}

/** What a text depends on, one number per line, for scripts; it needs no project. */
export async function showNamed(deps: Deps, options: { json?: true | undefined }): Promise<void> {
  const named = dependencies(await deps.readText("-"));
  if (options.json === true) printJson(deps, named);
  else deps.stdout(named.map((number) => `${number}\n`).join(""));
}

const is = (number: number) => (node: Node) => node.number === number;

const ringText = (ring: number[]): string =>
  `waits for itself: ${[...ring, ring[0]].map((number) => `#${number}`).join(" → ")}`;

const notOpen = (number: number): OperationError =>
  new OperationError(`there is no open issue #${number}`, {
    code: "not-found",
    hint: "see `pawl issue list`",
  });

function reachable(nodes: ReadonlyMap<number, Node>, from: number): Node[] {
  const seen = new Set([from]);
  // A set may grow while it is walked: what is added is visited too.
  for (const number of seen) for (const on of nodes.get(number)?.depends_on ?? []) seen.add(on);
  return [...seen].flatMap((number) => nodes.get(number) ?? []);
}

/**
 * Issues that wait and that no issue waits for; of a cycle without such an entry, the lowest
 * number.
 */
function rootsOf(nodes: readonly Node[]): number[] {
  const waiting = nodes.filter((node) => node.depends_on.length > 0);
  const awaited = new Set(nodes.flatMap((node) => node.depends_on));
  const roots = waiting.filter((node) => !awaited.has(node.number)).map((node) => node.number);
  const byNumber = new Map(nodes.map((node) => [node.number, node]));
  const shown = new Set(
    roots.flatMap((root) => reachable(byNumber, root).map((one) => one.number)),
  );
  for (const { number } of waiting) {
    if (shown.has(number)) continue;
    roots.push(number);
    for (const node of reachable(byNumber, number)) shown.add(node.number);
  }
  return roots;
}

function trees(deps: Deps, nodes: ReadonlyMap<number, Node>, roots: number[]): string {
  const lines: string[] = [];
  const drawn = new Set<number>();
  function draw(number: number, indent: { first: string; rest: string }): void {
    const again = drawn.has(number);
    const children = again ? [] : (nodes.get(number)?.depends_on ?? []);
    const hidden = again && (nodes.get(number)?.depends_on.length ?? 0) > 0 ? " …" : "";
    const room = deps.columns - textWidth(indent.first) - hidden.length;
    const text = nodeText({ ...deps, columns: room }, number, nodes.get(number));
    lines.push(`${indent.first}${text}${hidden}`);
    drawn.add(number);
    for (const [index, child] of children.entries()) {
      const isLast = index === children.length - 1;
      draw(child, {
        first: `${indent.rest}${isLast ? "└─ " : "├─ "}`,
        rest: `${indent.rest}${isLast ? "   " : "│  "}`,
      });
    }
  }
  for (const root of roots) draw(root, { first: "", rest: "" });
  return `${lines.join("\n")}\n`;
}

function nodeText(deps: Deps, number: number, node: Node | undefined): string {
  if (node === undefined || node.state === "missing") {
    return `#${number} ${paint(deps, "red", "does not exist")}`;
  }
  const mark = node.state === "closed" ? " (closed)" : "";
  const text = cutAfterWord(`#${number} ${harmless(node.title)}`, deps.columns - mark.length);
  return node.state === "closed" ? paint(deps, "dim", `${text}${mark}`) : text;
}
