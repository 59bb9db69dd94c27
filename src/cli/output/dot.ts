// A formula or a run of one as a graph in the DOT language.
import type { StepPlanView, StepRunView } from "../../api/formulas.ts";

type Step = StepPlanView & Partial<Pick<StepRunView, "status" | "session" | "node">>;

const SHAPES = { run: "box", builtin: "component", gate: "diamond", agent: "ellipse" } as const;

export function dotOf(name: string, steps: readonly Step[]): string {
  const lines = [
    `digraph ${quoted(name)} {`,
    "  rankdir=LR;",
    ...steps.map((step) => `  ${quoted(step.id)} [${attributes(step)}];`),
    ...steps.flatMap(({ id, needs }) => needs.map((need) => `  ${quoted(need)} -> ${quoted(id)};`)),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function attributes({ id, title, kind, status, session, node }: Step): string {
  const label = title === id ? id : `${id}\\n${title}`;
  const all: [string, string][] = [
    ["label", label],
    ["shape", SHAPES[kind]],
    ...(status === undefined ? [] : [["status", statusOf(status, node)] as [string, string]]),
    ...(session === undefined || session === null
      ? []
      : [["session", session] as [string, string]]),
  ];
  return all.map(([key, value]) => `${key}=${quoted(value)}`).join(", ");
}

/** A step whose work is a branch says how far that is. */
function statusOf(status: string, node: StepRunView["node"] | undefined): string {
  if (node === undefined || node === null) return status;
  if (node.merged) return "merged";
  if (node.validated) return "validated";
  return node.impl_complete ? "impl_complete" : status;
}

/** `\n` in a label is DOT's own line break, which stays. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll(/\\(?!n)/g, "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", " ")}"`;
