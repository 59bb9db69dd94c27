// Watches every living session through its files and its process, and turns what it sees into
// events. Which sessions live is read off the journal, so that a new daemon adopts them all.
import type { Event } from "../core/event.ts";
import { runAggregate } from "../core/ids.ts";
import type { Run } from "../core/run/run.ts";
import type { LiveSession } from "../core/session/session.ts";
import type { SessionSnapshot } from "../ports/session-files.ts";
import type { Loop } from "./loop.ts";
import type { Paths } from "./paths.ts";
import type { Ports } from "./ports.ts";

/** How often a living process is noted in the journal (R1.4 asks for 60 s). */
const SEEN_MS = 30_000;
/** A life that goes on talking while its folder is read is looked at again later. */
const READINGS_MAX = 100;

export type Watch = {
  /** Begins to watch a run's living session, and stops watching one that has ended. */
  sync(run: Run): void;
  stop(): void;
};

type Watched = {
  run: Run;
  session: LiveSession;
  close(): void;
  /** One look at a time: what it sees reaches the journal in order. */
  enqueue(work: () => Promise<void>): Promise<void>;
  /** How many looks there were: a snapshot from before the last one is out of date. */
  looks: number;
  seenPhase: string;
  acknowledged: Set<string>;
};

export function createWatch(deps: {
  ports: Ports;
  paths: Paths;
  loop: Loop;
  onError: (error: unknown) => void;
}): Watch {
  const { ports, paths, loop } = deps;
  const watched = new Map<string, Watched>();
  let stopped = false;
  let timer = ports.clock.after(SEEN_MS, tick);

  function sync(run: Run): void {
    const id = runAggregate(run.project, run.id);
    const current = watched.get(id);
    const { session } = run;
    const live = session?.status === "live" ? (session as LiveSession) : undefined;
    if (current !== undefined && current.session.epoch !== live?.epoch) {
      current.close();
      watched.delete(id);
    }
    if (live !== undefined && !watched.has(id) && !stopped) begin(run, live);
  }

  function begin(run: Run, session: LiveSession): void {
    const id = runAggregate(run.project, run.id);
    const dir = { path: paths.session(run.project, run.id, session.epoch) };
    let chain = Promise.resolve();
    const entry: Watched = {
      run,
      session,
      close: () => undefined,
      enqueue: (work) => {
        chain = chain
          .then(async () => {
            if (stopped || watched.get(id) !== entry) return;
            await work().finally(() => (entry.looks += 1));
          })
          .catch(deps.onError);
        return chain;
      },
      looks: 0,
      seenPhase: "",
      acknowledged: new Set(),
    };
    watched.set(id, entry);
    const handle = ports.sessionFiles.watch({
      dir,
      onChange: (snapshot) => {
        entry.enqueue(changed(entry, snapshot)).catch(deps.onError);
      },
      onMaybeGone: () => {
        entry.enqueue(() => look(entry)).catch(deps.onError);
      },
    });
    entry.close = () => handle.close();
    // What happened before anybody watched.
    entry.enqueue(() => look(entry)).catch(deps.onError);
  }

  /** What waited behind another look is read again: an old phase must not follow a newer one. */
  function changed(entry: Watched, snapshot: SessionSnapshot): () => Promise<void> {
    const { looks } = entry;
    return async () => {
      if (entry.looks === looks) await take(entry, snapshot);
      else await takeAll(entry);
    };
  }

  async function take(entry: Watched, snapshot: SessionSnapshot): Promise<void> {
    const { run, session } = entry;
    const to = runAggregate(run.project, run.id);
    const { epoch } = session;
    const at = (): number => ports.clock.now();
    const mark = `${to}:${epoch}`;
    for (const { name, text } of snapshot.spool) {
      for (const [index, told] of (await translated(entry, text)).entries()) {
        await loop.submit({
          to,
          event: { kind: "spool-received", at: at(), epoch, name, text: told },
          key: `${mark}:spool:${name}:${index}`,
        });
      }
      await ports.sessionFiles.removeSpool({
        dir: { path: paths.session(run.project, run.id, epoch) },
        name,
      });
    }
    for (const id of snapshot.acknowledged.filter((known) => !entry.acknowledged.has(known))) {
      await loop.submit({ to, event: { kind: "message-acknowledged", at: at(), epoch, id } });
      entry.acknowledged.add(id);
    }
    const { phase } = snapshot;
    if (phase !== undefined && phase.stamp !== entry.seenPhase) {
      await loop.submit({
        to,
        event: { kind: "phase-observed", at: at(), epoch, stamp: phase.stamp, text: phase.text },
      });
      entry.seenPhase = phase.stamp;
    }
    if (snapshot.exit !== undefined) {
      await loop.submit({
        to,
        event: { kind: "session-exited", at: at(), epoch, exit: snapshot.exit },
      });
    }
  }

  /** Hooks of known agents speak their own language; what is in Pawl's own is taken as it is. */
  async function translated({ run, session }: Watched, text: string): Promise<string[]> {
    const agent = ports.agent(run.config.agent.runtime);
    const dir = paths.session(run.project, run.id, session.epoch);
    return (await agent.translate?.({ dir, text, at: ports.clock.now() })) ?? [text];
  }

  /** Everything a life has said, also where its spool holds more than one reading shows. */
  async function takeAll(entry: Watched): Promise<SessionSnapshot["exit"]> {
    const { run, session } = entry;
    const dir = { path: paths.session(run.project, run.id, session.epoch) };
    for (let readings = 0; readings < READINGS_MAX; readings += 1) {
      const snapshot = await ports.sessionFiles.read(dir);
      await take(entry, snapshot);
      if (snapshot.spool.length === 0) return snapshot.exit;
    }
    return undefined;
  }

  /** The process itself is asked; a failed probe is "unknown" and never "dead". */
  async function look(entry: Watched): Promise<void> {
    const { run, session } = entry;
    const alive =
      session.process === undefined ? "unknown" : await ports.terminal.probe(session.process);
    const exit = await takeAll(entry);
    if (alive !== "dead" || exit !== undefined) return;
    const to = runAggregate(run.project, run.id);
    const event: Event = {
      kind: "session-exited",
      at: ports.clock.now(),
      epoch: session.epoch,
      exit: undefined,
    };
    await loop.submit({ to, event });
  }

  function tick(): void {
    if (stopped) return;
    seen()
      .catch(deps.onError)
      .finally(() => {
        if (!stopped) timer = ports.clock.after(SEEN_MS, tick);
      });
  }

  /** The safety net under events: every living session is looked at, all panes in one question. */
  async function seen(): Promise<void> {
    if (watched.size === 0) return;
    const panes = await ports.terminal.panes();
    for (const entry of watched.values()) {
      await entry.enqueue(() => look(entry));
      if (entry.session.process === undefined) continue;
      if ((await ports.terminal.probe(entry.session.process)) !== "alive") continue;
      const pane =
        panes === "unknown"
          ? undefined
          : panes.find((one) => one.pane === entry.session.pane?.pane);
      const to = runAggregate(entry.run.project, entry.run.id);
      const attached = pane?.attached ?? false;
      await loop.submit({
        to,
        event: {
          kind: "session-seen",
          at: ports.clock.now(),
          epoch: entry.session.epoch,
          attached,
        },
      });
    }
  }

  return {
    sync,
    stop: () => {
      stopped = true;
      timer.cancel();
      for (const entry of watched.values()) entry.close();
      watched.clear();
    },
  };
}
