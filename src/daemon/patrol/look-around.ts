// Gathers what a round of a patrol sees. It decides nothing: core/patrol does.
import { mailAggregate, queueAggregate, runAggregate, type ProjectName } from "../../core/ids.ts";
import { DEACON } from "../../core/mail/address.ts";
import { newMailbox, unreadFor } from "../../core/mail/mailbox.ts";
import type { DeaconFacts, WitnessFacts } from "../../core/patrol/patrol-event.ts";
import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run.ts";
import type { Store } from "../../ports/store.ts";
import type { Observe } from "../observing/observe.ts";
import type { Outbox } from "../engine/outbox.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import { components } from "./components.ts";
import { findOrphans } from "./find-orphans.ts";
import { newsOf } from "./news.ts";
import { pendingSpawns } from "./pending-spawns.ts";

export type LookAroundDeps = {
  store: Store;
  ports: Ports;
  paths: Paths;
  observe: Pick<Observe, "lookedAt" | "everyMs" | "trouble">;
  outbox: Pick<Outbox, "pending">;
  keeper?: { since: number } | undefined;
  /** What a round remembers for the next: issues of others, and when that was last asked. */
  foreign: Map<string, number>;
};

export async function deaconFacts(deps: LookAroundDeps, project: Project): Promise<DeaconFacts> {
  const { store, ports, paths, observe } = deps;
  const { name } = project;
  const patrol = project.config?.patrol;
  const runs = await runsAtWork(store, project);
  const stored = (await store.load(queueAggregate(name)))?.state;
  const queue = stored?.kind === "queue" ? stored : undefined;
  const own = await ports.project(name);
  const { freeMb, ownMb: memoryMb } = await ports.machine.memory();
  return {
    inbox: await inboxOf(store, name),
    pending: (await pendingSpawns(runs, { ports, paths })).map(
      ({ sinceMs: _since, screen: _screen, ...fact }) => fact,
    ),
    components: components({
      now: ports.clock.now(),
      project: name,
      runs,
      queue,
      outbox: await store.outbox(),
      underWay: new Set(deps.outbox.pending().map(({ key }) => key)),
      observer: {
        lookedAt: observe.lookedAt(name),
        everyMs: observe.everyMs(project),
        trouble: observe.trouble(name),
      },
    }),
    orphans: await findOrphans({ project, runs, queue, ports, own, store, foreign: deps.foreign }),
    news: await newsOf(store, name),
    ...(patrol?.triage === undefined ? {} : { triage: patrol.triage }),
    own: {
      memoryMb,
      freeMb,
      journalMb: await ports.machine.fileMb(paths.journal),
      ...(patrol?.memoryMb === undefined ? {} : { memoryMaxMb: patrol.memoryMb }),
      ...(deps.keeper === undefined ? {} : { keeper: { since: deps.keeper.since } }),
    },
  };
}

/** Runs that are not over yet: all others there ever were are left alone. */
export async function runsAtWork(
  store: Pick<Store, "load">,
  { name, active, leaving }: Pick<Project, "name" | "active" | "leaving">,
): Promise<Run[]> {
  const runs: Run[] = [];
  for (const { run } of [...active, ...leaving]) {
    const state = (await store.load(runAggregate(name, run)))?.state;
    if (state?.kind === "run") runs.push(state);
  }
  return runs;
}

async function inboxOf(store: Store, project: ProjectName): Promise<DeaconFacts["inbox"]> {
  const stored = (await store.load(mailAggregate(project)))?.state;
  const mailbox = stored?.kind === "mail" ? stored : newMailbox(project);
  return unreadFor(mailbox, DEACON)
    .filter(({ state }) => state.kind === "waiting")
    .map(({ id, from, subject, body, priority }) => ({ id, from, subject, body, priority }));
}

export async function witnessFacts(
  deps: LookAroundDeps,
  project: Project,
  deacon: WitnessFacts["deacon"],
): Promise<WitnessFacts> {
  const now = deps.ports.clock.now();
  const silent = (await runsAtWork(deps.store, project)).flatMap(
    ({ session, identity, config }) => {
      const sinceMs = now - (session?.lastSeen ?? now);
      const isSilent = session?.status === "live" && sinceMs > 2 * config.limits.staleMs;
      return isSilent ? [{ identity, epoch: session.epoch, sinceMs }] : [];
    },
  );
  return { silent, deacon };
}
