// `builtin = "patrol-step"`: the last word of a native patrol on one of its steps. Patrols go their
// rounds by themselves; a run of their formula is a reading of them.
import { patrolAggregate } from "../../core/ids.ts";
import { newPatrol, PATROL_NAMES, STEPS } from "../../core/patrol/patrol.ts";
import type { Builtin } from "./builtin.ts";

export const patrolStep: Builtin = {
  summary: "what the `step` of the `patrol` (deacon, witness) last did",
  run: async ({ with: inputs, project, store }) => {
    const name = PATROL_NAMES.find((known) => known === inputs["patrol"]);
    const step = inputs["step"] ?? "";
    if (name === undefined || !STEPS[name].includes(step)) {
      const problem = `there is no step "${step}" of a patrol "${inputs["patrol"] ?? ""}"`;
      return { kind: "failed", problem, output: "" };
    }
    const stored = (await store.load(patrolAggregate(project, name)))?.state;
    const patrol = stored?.kind === "patrol" ? stored : newPatrol(project, name);
    const note = patrol.notes[step];
    const output =
      note === undefined
        ? "nothing to do so far"
        : `${new Date(note.at).toISOString()} ${note.text}`;
    return { kind: "done", output };
  },
};
