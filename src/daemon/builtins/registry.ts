// All steps that Pawl implements, by the name that formulas use. A new one is one more file and one
// more line here.
import type { Builtin } from "./builtin.ts";
import { patrolStep } from "./patrol-step.ts";
import { roleAlarm } from "./role-alarm.ts";
import { roleApply } from "./role-apply.ts";
import { roleNote } from "./role-note.ts";
import { rolePreflight } from "./role-preflight.ts";
import { say } from "./say.ts";

export const BUILTINS: Readonly<Record<string, Builtin>> = {
  "patrol-step": patrolStep,
  "role-alarm": roleAlarm,
  "role-apply": roleApply,
  "role-note": roleNote,
  "role-preflight": rolePreflight,
  say,
};
