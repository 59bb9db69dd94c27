// `builtin = "role-note"`: remembers that what a preflight found has been looked at, where the answer
// was a branch that has landed and nothing is left to carry out.
import { isStandingRole } from "../../core/roles/result.ts";
import { answered } from "../../core/roles/round.ts";
import { foundBy } from "../roles/found-by.ts";
import { recall, remember } from "../roles/memory.ts";
import type { Builtin } from "./builtin.ts";

export const roleNote: Builtin = {
  summary: "records that the `role` has judged what the step `preflight` found",
  run: async ({ with: inputs, run, store, project, now }) => {
    const role = inputs["role"] ?? "";
    if (!isStandingRole(role)) {
      return { kind: "failed", problem: `there is no standing role "${role}"`, output: "" };
    }
    const findings = foundBy(run, inputs["preflight"] ?? "preflight");
    const memory = await recall(store, project, role);
    await remember(store, { project, role }, answered(memory, findings, now()));
    return { kind: "done", output: findings.map(({ text }) => text).join("\n") };
  },
};
