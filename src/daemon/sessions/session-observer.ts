// Observes living sessions from outside, all of them at once: their panes, screens, processes and
// files, in three questions however many there are. A screen is read only if it has shown something
// since the last look, so that idle sessions cost next to nothing.
import { symptomsOn } from "../../core/session/context-use.ts";
import type { Sighting } from "../../core/session/evidence.ts";
import type { ProcessFacts } from "../../core/session/session.ts";
import { parseStatusline } from "../../core/session/statusline.ts";
import type { PaneObservation } from "../../ports/terminal.ts";
import type { Ports } from "../engine/ports.ts";

export type Observed = {
  /** Names the session among all. */
  id: string;
  process: ProcessFacts;
  pane: string | undefined;
  workspace: string;
};

/** What the terminal shows of a session. */
export type Glance = { attached: boolean } & Pick<Sighting, "clock" | "percent" | "shown">;

export type Sight = { attached: boolean; sighting: Sighting };

/** What a screen says, kept until it shows something else. */
type Screen = Omit<Glance, "attached"> & { readAtS: number };

const UNREAD: Screen = { clock: undefined, percent: undefined, shown: undefined, readAtS: -1 };

export class SessionObserver {
  readonly #ports: Ports;
  readonly #screens = new Map<string, Screen>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  forget(id: string): void {
    this.#screens.delete(id);
  }

  /** Cheap: two questions to tmux, and one of them only about screens that have changed. */
  async glance(sessions: readonly Observed[]): Promise<Map<string, Glance>> {
    if (sessions.length === 0) return new Map();
    const panes = await this.#panes();
    // Whether a person is attached is not known now: nothing is said of any of them.
    if (panes === undefined) return new Map();
    await this.#readScreens(sessions, panes);
    return new Map(
      sessions.map(({ id, pane }) => {
        const { clock, percent, shown } = this.#screens.get(id) ?? UNREAD;
        const attached = panes.get(pane ?? "")?.attached ?? false;
        return [id, { attached, clock, percent, shown }];
      }),
    );
  }

  /** Adds what has to be measured: one pass over all processes, and a few stats per session. */
  async measure(
    sessions: readonly Observed[],
    glances: ReadonlyMap<string, Glance>,
  ): Promise<Map<string, Sight>> {
    const { terminal, workspaces } = this.#ports;
    const sights = new Map<string, Sight>();
    if (sessions.length === 0) return sights;
    const used = await terminal.cpu(sessions.map((session) => session.process));
    for (const { id, process, workspace } of sessions) {
      const glance = glances.get(id);
      if (glance === undefined) continue;
      const { attached, ...screen } = glance;
      const use = used === "unknown" ? undefined : used.get(process.pid);
      const files = await workspaces.stamp(workspace);
      const { usedMs: cpuMs, running } = use ?? {};
      sights.set(id, { attached, sighting: { cpuMs, running, files, ...screen } });
    }
    return sights;
  }

  async observe(session: Observed): Promise<Sight | undefined> {
    return (await this.measure([session], await this.glance([session]))).get(session.id);
  }

  async #readScreens(
    sessions: readonly Observed[],
    panes: ReadonlyMap<string, PaneObservation>,
  ): Promise<void> {
    const readAtS = Math.floor(this.#ports.clock.now() / 1000);
    const changed = sessions.filter(({ id, pane }) => {
      const activeAtS = panes.get(pane ?? "")?.activeAtS;
      return activeAtS !== undefined && activeAtS >= (this.#screens.get(id) ?? UNREAD).readAtS;
    });
    if (changed.length === 0) return;
    const texts = await this.#ports.terminal.screens(changed.map(({ pane }) => pane ?? ""));
    if (texts === "unknown") return;
    for (const { id, pane } of changed) {
      const text = texts.get(pane ?? "");
      if (text === undefined) continue;
      this.#screens.set(id, { ...parseStatusline(text), shown: symptomsOn(text), readAtS });
    }
  }

  /** Undefined where tmux does not answer. */
  async #panes(): Promise<ReadonlyMap<string, PaneObservation> | undefined> {
    const panes = await this.#ports.terminal.panes();
    return panes === "unknown" ? undefined : new Map(panes.map((pane) => [pane.pane, pane]));
  }
}
