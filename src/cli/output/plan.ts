// Draws a formula: its steps in waves, those of one wave side by side under a bracket. A run is
// drawn the same way, with a mark for what each step came to.
import type { StepPlanView, StepRunView } from "../../api/formulas.ts";
import { plainSpans } from "../../api/spans.ts";
import { textWidth } from "../../lib/text-width.ts";
import type { Deps } from "../deps.ts";
import { cutAfterWord } from "./table.ts";
import { harmless, paint } from "./text.ts";
import { wrapLine } from "./wrap.ts";

type Step = StepPlanView & Partial<Pick<StepRunView, "status" | "problem" | "session" | "node">>;
type Style = Parameters<typeof paint>[1];

const MARKS: Record<StepRunView["status"], [mark: string, style: Style]> = {
  waiting: ["○", "dim"],
  running: ["▶", "cyan"],
  retrying: ["↻", "yellow"],
  done: ["✓", "green"],
  failed: ["✗", "red"],
  skipped: ["–", "dim"],
};

const TITLE_MAX = 44;

export function drawPlan(deps: Deps, steps: readonly Step[], waves: string[][]): string {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const idWidth = Math.max(0, ...steps.map(({ id }) => textWidth(id)));
  const titleWidth = Math.min(
    TITLE_MAX,
    Math.max(0, ...steps.map(({ title }) => textWidth(title))),
  );
  const lines = waves.flatMap((wave, index) =>
    wave.flatMap((id, place) => {
      const step = byId.get(id);
      if (step === undefined) return [];
      const number = place === 0 ? String(index + 1) : "";
      const line = [
        paint(deps, "dim", `${number.padStart(3)} ${bracket(place, wave.length)}`),
        mark(deps, step),
        paint(deps, "bold", padEnd(id, idWidth)),
        padEnd(cut(harmless(step.title)), titleWidth),
        paint(deps, "dim", tail(step)),
      ];
      return [line.join(" ").trimEnd(), ...notes(deps, step)].map((text) =>
        deps.isTty ? wrapLine(text, deps.columns, { below: " ".repeat(idWidth + 9) }) : text,
      );
    }),
  );
  return lines.map((line) => `${line}\n`).join("");
}

function bracket(place: number, of: number): string {
  if (of === 1) return "─";
  if (place === 0) return "┬";
  return place === of - 1 ? "└" : "├";
}

function mark(deps: Deps, { status }: Step): string {
  if (status === undefined) return "○";
  const [sign, style] = MARKS[status];
  return paint(deps, style, sign);
}

const cut = (text: string): string => cutAfterWord(text, TITLE_MAX);

const padEnd = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - textWidth(text)));

function tail({ kind, does, needs, when, retries }: Step): string {
  return [
    kind === "agent" ? "agent" : `${kind}: ${cut(harmless(does))}`,
    ...(needs.length === 0 ? [] : [`← ${needs.join(", ")}`]),
    ...(when === null ? [] : [`when ${when}`]),
    ...(retries === 0 ? [] : [`retries ${retries}`]),
  ].join("  ");
}

/** What a person wants to know of a step beside its mark. */
function notes(deps: Deps, step: Step): string[] {
  const { problem, session, node } = step;
  const indent = "       ";
  const reached = node === undefined || node === null ? [] : nodeWords(node);
  return [
    ...(session === undefined || session === null ? [] : [`${indent}session ${session}`]),
    ...(reached.length === 0 ? [] : [`${indent}${reached.join(" → ")}`]),
    ...(problem === undefined || problem === null
      ? []
      : plainSpans(harmless(problem))
          .split("\n")
          .map((line) => `${indent}${paint(deps, "dim", line)}`)),
  ];
}

const nodeWords = (node: NonNullable<StepRunView["node"]>): string[] =>
  Object.entries(node).flatMap(([word, reached]) => (reached ? [word] : []));
