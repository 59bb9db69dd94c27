// Effects of schedules: looking when one comes next and what is free, and starting what it names.
import { formulaAggregate } from "../../core/ids.ts";
import { resolveFormula } from "../../core/formula/resolve.ts";
import { formulaOf, formulaRunOf } from "../../core/schedule/schedule.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { nextInstant } from "../schedule/next-instant.ts";
import { currentProject, type EffectContext, type EffectOf, type Executors } from "./executor.ts";

export const scheduleEffects: Executors<"plan-schedule" | "start-scheduled"> = {
  "plan-schedule": async (effect, { ports, now }) => {
    const { freeMb } = await ports.machine.memory();
    const at = now();
    // Times that passed while no daemon ran are made up for once: the next instant is in the
    // future.
    const planned = nextInstant({ ...effect, after: Math.max(effect.after, at) });
    return { kind: "schedule-planned", at, name: effect.name, freeMb, ...planned };
  },

  "start-scheduled": async (effect, context) => {
    await startFormula(effect, context);
    return undefined;
  },
};

/** A separate run that starts over each time; the same key again is the same run. */
async function startFormula(
  { name, key, work }: EffectOf<"start-scheduled">,
  context: EffectContext,
): Promise<void> {
  const { own, store, now, project, aggregate } = context;
  const { root } = await currentProject(context);
  const wanted = formulaOf(work);
  const found = await context.findFormula({ root, own }, wanted);
  const resolved = resolveFormula(found.formula, {});
  if (resolved.kind === "unresolved") {
    const said = resolved.problems.join("; ");
    throw new OperationError(`cannot start formula ${wanted}: ${said}`, { code: "usage" });
  }
  const id = formulaRunOf(name);
  const to = formulaAggregate(project, id);
  const { formula, vars } = resolved;
  const about = { project, id, key, formula, vars, source: found.source, by: `schedule ${name}` };
  await context.submit({
    to,
    event: { kind: "formula-requested", at: now(), ...about, asker: aggregate, renews: true },
  });
  const stored = (await store.load(to))?.state;
  if (stored?.kind === "formula" && stored.key === key) return;
  throw new OperationError(`cannot start formula ${wanted}: the previous run has not ended`, {
    code: "busy",
    hint: `see \`pawl formula status ${id}\``,
  });
}
