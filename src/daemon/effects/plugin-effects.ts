// Runs a plugin's script in a clean checkout of the target. It lives on without the daemon, and one
// that was begun is never begun again under the same number.
import type { CommandOutcome } from "../../ports/commands.ts";
import { toolEnvironment } from "../host/environment.ts";
import { wallsOf, type EffectContext, type EffectOf, type Executors } from "./executor.ts";

export const pluginEffects: Executors<"run-plugin"> = {
  "run-plugin": async (effect, context) => {
    const { name, key, number, argv, timeoutMs } = effect;
    const { ports, own, paths, project, signal, now } = context;
    const place = paths.plugin(project, name);
    const folder = `${place}/${number}`;
    // A daemon that came back must not change the files under a program that runs.
    if (!(await ports.commands.isBegun(`${folder}/run`))) {
      await ports.commands.clear(`${place}/${number - 1}`);
      const commit = await own.git.fetchTarget();
      await own.git.checkout({ commit, path: `${folder}/work`, keep: [], history: false });
    }
    const [program = "false", ...rest] = argv;
    const outcome = await ports.commands.run({
      walls: (await isUsers(effect, context)) ? undefined : await wallsOf(context),
      folder: `${folder}/run`,
      argv: [program, ...rest],
      cwd: `${folder}/work`,
      env: { ...toolEnvironment(), PAWL_PROJECT: project, PAWL_PLUGIN: name },
      inputs: {},
      timeoutMs,
      signal,
    });
    return { kind: "plugin-finished", at: now(), name, key, ...judged(outcome, `${folder}/work`) };
  },
};

/**
 * Only what the user's own plugin runs, word for word: what comes from the target may be an agent's,
 * and a plugin of the target may have had this name before.
 */
async function isUsers(
  { name, argv }: EffectOf<"run-plugin">,
  { store, aggregate }: EffectContext,
): Promise<boolean> {
  const state = (await store.load(aggregate))?.state;
  const entries = state?.kind === "plugin" ? state.entries : [];
  const plugin = entries.find((entry) => entry.name === name)?.plugin;
  if (plugin?.from !== "user" || plugin.work.kind !== "script") return false;
  return JSON.stringify(plugin.work.argv) === JSON.stringify(argv);
}

function judged(outcome: CommandOutcome, folder: string): { ok: boolean; note: string } {
  const said = (
    outcome.errors === "" ? outcome.output : `${outcome.output}\n${outcome.errors}`
  ).trim();
  const where = `it ran in ${folder}, a clean checkout of the target`;
  switch (outcome.kind) {
    case "exited":
      return outcome.code === 0
        ? { ok: true, note: said }
        : { ok: false, note: `exit ${outcome.code}: ${said}\n${where}` };
    case "timed-out":
      return { ok: false, note: `no end within its timeout: ${said}\n${where}` };
    case "overflowed":
      return { ok: false, note: "it printed more than Pawl keeps" };
    case "lost":
      return { ok: false, note: "it was interrupted, and it is unknown how far it got" };
  }
}
