// How the repository is set on its forge: looked at when a daemon starts and then rarely, because it
// costs requests of its own. A forge that fails is reported by the look at its issues.
import { projectAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Forge } from "../../ports/forge.ts";
import type { Loop } from "../engine/loop.ts";

const AGAIN_MS = 60 * 60_000;

/** When the settings were last looked at, by this daemon. */
export type SettingsObserved = { at: number | undefined };

export async function observeSettings(
  { loop, clock }: { loop: Loop; clock: Clock },
  project: Project,
  { forge, last }: { forge: Pick<Forge, "settings">; last: SettingsObserved },
): Promise<void> {
  const { name } = project;
  if (forge.settings === undefined) return;
  if (last.at !== undefined && clock.now() - last.at < AGAIN_MS) return;
  try {
    const settings = await forge.settings();
    last.at = clock.now();
    if (canonicalJson(settings) === canonicalJson(project.forgeSettings ?? null)) return;
    const event = { kind: "forge-settings-observed", at: clock.now(), settings } as const;
    await loop.submit({ to: projectAggregate(name), event });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
  }
}
