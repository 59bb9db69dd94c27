// A pawl.toml that becomes invalid is shown to people soon, and one that is valid counts soon, while a
// daemon runs and the target can be looked at. What the file says is known from the repository.
import { projectAggregate } from "../../src/core/ids.ts";
import { configIn, POLICY_FILE } from "../config.ts";
import { shownNow } from "../shown.ts";
import type { SimProject, World } from "../world.ts";
import type { Checker } from "./checker.ts";

const LOOK_MS = 10 * 60_000;
/** Looks at the target are rare, and slow calls and back-offs hold them up. */
const SLACK_MS = 45 * 60_000;
const HELD = new Set(["daemon-killed", "daemon-started", "effect-refused"]);

export function settings(world: World): Checker {
  const name = "settings";
  /** By project: since when its pawl.toml is as it is. */
  const since = new Map<string, { text: string | undefined; at: number }>();
  let troubleAt = 0;

  const textOf = ({ repository, target }: SimProject): string | undefined =>
    repository.files(target).get(POLICY_FILE);

  async function isShown(project: SimProject): Promise<boolean> {
    const { waits } = await shownNow(world, project.name);
    return waits.some(({ about }) => about === POLICY_FILE);
  }

  async function counts(project: SimProject): Promise<boolean> {
    const stored = (await world.store.load(projectAggregate(project.name)))?.state;
    const gates = stored?.kind === "project" ? stored.config?.ci.gates : undefined;
    const wanted = configIn(world.options, textOf(project))?.ci.gates;
    return JSON.stringify(gates) === JSON.stringify(wanted);
  }

  async function check(project: SimProject): Promise<void> {
    const text = textOf(project);
    const isValid = configIn(world.options, text) !== undefined;
    const shown = await isShown(project);
    const isHeeded = !isValid || (await counts(project));
    if (textOf(project) !== text) return;
    const where = `pawl.toml of ${project.name}`;
    if (!isValid && !shown) world.fail(name, `${where} is invalid, and no person can see it`);
    if (isValid && shown) world.fail(name, `${where} is valid again, and is called invalid`);
    if (!isHeeded) world.fail(name, `${where} says "${text}", and does not count`);
  }

  function look(): void {
    world.clock.after(LOOK_MS, look);
    const now = world.clock.monotonicMs();
    for (const project of world.projects.values()) {
      const text = textOf(project);
      const known = since.get(project.name);
      if (known?.text !== text) since.set(project.name, { text, at: now });
      else if (known !== undefined && text !== undefined) {
        if (now - Math.max(known.at, troubleAt) < SLACK_MS) continue;
        check(project).catch((error: unknown) =>
          world.fail("simulator", `settings broke: ${String(error)}`),
        );
      }
    }
  }

  world.clock.after(LOOK_MS, look);
  return {
    name,
    hear(fact) {
      if (HELD.has(fact.kind)) troubleAt = world.clock.monotonicMs();
    },
  };
}
