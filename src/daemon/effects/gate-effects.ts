// Effects of gates: a look at what one waits for.
import { join } from "node:path";
import { observeGate } from "../gates/observe-gate.ts";
import type { Executors } from "./executor.ts";

export const gateEffects: Executors<"look-at-gate" | "clear-gate"> = {
  "look-at-gate": async ({ gate, look, spec }, context) => {
    const { project, ports, own, paths, store, signal, now } = context;
    const name = `look-${look}`;
    const place = { project, gate, look: name, ports, own, paths, store, signal };
    const sight = await observeGate(spec, place);
    // Cleared before its outcome is known: a repeated look is a look of its own.
    if (spec.kind === "command") {
      await ports.commands.clear(join(paths.gate(project, gate), name));
    }
    return { kind: "gate-observed", at: now(), look, ...sight };
  },

  "clear-gate": async ({ gate }, { ports, paths, project }) => {
    await ports.commands.clear(paths.gate(project, gate));
    return undefined;
  },
};
