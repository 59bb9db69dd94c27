// Looks at living sessions from outside, all of them at once: their processes, panes, screens and
// files, in three questions however many there are. A screen is read only if it has shown something
// since the last look, so that idle sessions cost next to nothing.
import { symptomsOn } from "../core/session/context-use.ts";
import type { Sighting } from "../core/session/evidence.ts";
import type { ProcessFacts } from "../core/session/session.ts";
import { parseStatusline } from "../core/session/statusline.ts";
import type { PaneObservation } from "../ports/terminal.ts";
import type { Ports } from "./ports.ts";

export type Looked = {
  /** Names the session among all. */
  id: string;
  process: ProcessFacts;
  pane: string | undefined;
  workspace: string;
};

export type Sight = { attached: boolean; sighting: Sighting };

/** What a screen says, kept until it shows something else. */
type Screen = Pick<Sighting, "clock" | "percent" | "shown"> & { readAtS: number };

const UNREAD: Screen = { clock: undefined, percent: undefined, shown: undefined, readAtS: -1 };

export type Lookout = {
  lookAt(sessions: Looked[]): Promise<Map<string, Sight>>;
  forget(id: string): void;
};

export function createLookout(ports: Ports): Lookout {
  const screens = new Map<string, Screen>();

  async function lookAt(sessions: Looked[]): Promise<Map<string, Sight>> {
    if (sessions.length === 0) return new Map();
    const panes = await panesById(ports);
    await readScreens(sessions, panes);
    const used = await ports.terminal.cpu(sessions.map((session) => session.process));
    const sights = new Map<string, Sight>();
    for (const session of sessions) {
      const { clock, percent, shown } = screens.get(session.id) ?? UNREAD;
      const use = used === "unknown" ? undefined : used.get(session.process.pid);
      const files = await ports.workspaces.stamp(session.workspace);
      const attached = panes.get(session.pane ?? "")?.attached ?? false;
      const { usedMs: cpuMs, running } = use ?? {};
      sights.set(session.id, {
        attached,
        sighting: { cpuMs, running, clock, percent, files, shown },
      });
    }
    return sights;
  }

  async function readScreens(
    sessions: Looked[],
    panes: ReadonlyMap<string, PaneObservation>,
  ): Promise<void> {
    const nowS = Math.floor(ports.clock.now() / 1000);
    const changed = sessions.filter(({ id, pane }) => {
      const activeAtS = panes.get(pane ?? "")?.activeAtS;
      return activeAtS !== undefined && activeAtS >= (screens.get(id) ?? UNREAD).readAtS;
    });
    const texts = await ports.terminal.screens(changed.map(({ pane }) => pane ?? ""));
    if (texts === "unknown") return;
    for (const { id, pane } of changed) {
      const text = texts.get(pane ?? "");
      if (text === undefined) continue;
      screens.set(id, { ...parseStatusline(text), shown: symptomsOn(text), readAtS: nowS });
    }
  }

  return { lookAt, forget: (id) => void screens.delete(id) };
}

async function panesById(ports: Ports): Promise<ReadonlyMap<string, PaneObservation>> {
  const panes = await ports.terminal.panes();
  return new Map(panes === "unknown" ? [] : panes.map((pane) => [pane.pane, pane]));
}
