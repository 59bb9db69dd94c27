// Templates of steps: an expansion stands in for a step, an aspect adds steps before and after the
// steps that its rules name. `{target}`, `{target.title}` and `{target.description}` are the step's.
import {
  areTooMany,
  idOf,
  isTooLong,
  mapTexts,
  matchesGlob,
  needsOf,
  rewired,
  textAt,
  withKeys,
  type RawTable,
  type StepSource,
} from "./step-source.ts";

/** `values`: the variables of the expansion, written `{name}` in its texts. */
export function expandStep(
  steps: StepSource[],
  target: StepSource,
  about: { template: StepSource[]; values: Record<string, string> },
): StepSource[] {
  if (areTooMany(steps) || isTooLong(target)) return steps;
  const made = about.template.map((one) => filledFor(one, target, about.values));
  const ids = made.map(idOf);
  const entered = made.map((one) => {
    const isFirst = !needsOf(one).some((need) => ids.includes(need));
    const needs = isFirst ? [...needsOf(target), ...needsOf(one)] : needsOf(one);
    return underConditionOf(target, withKeys(one, { needs: [...new Set(needs)] }));
  });
  const needed = new Set(entered.flatMap(needsOf));
  const last = ids.filter((id) => !needed.has(id));
  return rewired(steps, idOf(target), last).flatMap((step) =>
    idOf(step) === idOf(target) ? entered : [askingAbout(step, idOf(target), last)],
  );
}

/** A condition about the step is one about the step that ends what stands in for it. */
function askingAbout(step: StepSource, id: string, [last, ...more]: string[]): StepSource {
  const when = step.raw["when"];
  if (typeof when !== "string" || last === undefined || more.length > 0) return step;
  return withKeys(step, { when: when.replaceAll(`steps.${id}.`, `steps.${last}.`) });
}

export type Advice = { target: string; before: StepSource[]; after: StepSource[] };

/** Steps that another rule added are not advised again. */
export function applyAdvice(
  steps: StepSource[],
  advice: Advice,
  advised: readonly string[],
): StepSource[] {
  const targets = steps.filter(
    (step) => advised.includes(idOf(step)) && matchesGlob(advice.target, idOf(step)),
  );
  return targets.reduce((all, target) => surrounded(all, idOf(target), advice), steps);
}

function surrounded(steps: StepSource[], id: string, { before, after }: Advice): StepSource[] {
  const target = steps.find((step) => idOf(step) === id);
  if (target === undefined || areTooMany(steps) || isTooLong(target)) return steps;
  const first = chained(before, target, needsOf(target));
  const then = chained(after, target, [id]);
  const lastBefore = first.at(-1);
  const lastAfter = then.at(-1);
  const moved = lastAfter === undefined ? steps : rewired(steps, id, [idOf(lastAfter)]);
  const kept = lastBefore === undefined ? target : withKeys(target, { needs: [idOf(lastBefore)] });
  return moved.flatMap((step) => (idOf(step) === id ? [...first, kept, ...then] : [step]));
}

/** One after the other. */
function chained(list: StepSource[], target: StepSource, needs: string[]): StepSource[] {
  const made: StepSource[] = [];
  for (const one of list) {
    const filled = filledFor(one, target, {});
    const last = made.at(-1);
    const before = last === undefined ? needs : [idOf(last)];
    made.push(
      underConditionOf(target, withKeys(filled, { needs: [...before, ...needsOf(filled)] })),
    );
  }
  return made;
}

/** What is done in place of a step, or around it, is done when that step would be. */
function underConditionOf(target: StepSource, step: StepSource): StepSource {
  const when = target.raw["when"];
  return when === undefined || step.raw["when"] !== undefined ? step : withKeys(step, { when });
}

function filledFor(
  template: StepSource,
  target: StepSource,
  values: Readonly<Record<string, string>>,
): StepSource {
  const id = idOf(target);
  const known: Record<string, string> = {
    ...values,
    target: id,
    "target.title": textAt(target.raw, "title") || id,
    "target.description": textAt(target.raw, "description").trim(),
  };
  const fill = (text: string): string =>
    text.replaceAll(
      /(?<!\{)\{([a-z][A-Za-z0-9_.-]*)\}(?!\})/g,
      (whole, name: string) => known[name] ?? whole,
    );
  return { ...template, raw: mapTexts(template.raw, fill) as RawTable };
}
