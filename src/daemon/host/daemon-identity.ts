// Registers the daemon that runs here as an identity like any other: one epoch per start,
// linked to its predecessor, published, and signed off when it ends.
import { hostname } from "node:os";
import { join } from "node:path";
import { FACTORY, mailAggregate, sessionId } from "../../core/ids.ts";
import { OPERATOR } from "../../core/mail/address.ts";
import type { SignalKind } from "../../core/signal.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { ProcessId } from "../../ports/terminal.ts";
import type { Transaction } from "../../ports/store.ts";
import type { Factory } from "./factory.ts";
import type { Log } from "./log.ts";
import type { Probe } from "../views/agent-list.ts";
import { DAEMON_RECORD, daemonRecord, daemonView, type DaemonRecord } from "../views/daemon.ts";

const PUBLISH_MS = 30_000;

export async function registerDaemon(
  factory: Pick<Factory, "store" | "ports" | "paths" | "engine">,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const { store, ports, paths } = factory;
  const { clock } = ports;
  const before = await daemonRecord(store);
  const own = await ports.terminal.identify(process.pid);
  const record = successor(before, own, clock.now());
  const path = join(paths.home, "state", "identities", `${record.identity}.json`);
  const attempt = attempting(log);
  const at = clock.now();
  const crashed = before !== undefined && before.endedAt === undefined;
  // The letter first: should this one die in between as well, its successor finds the same to tell.
  if (crashed) await attempt("report", () => report(factory, before, at));
  await attempt("register", () =>
    store.transaction(async (tx) => {
      await tx.records.put(...DAEMON_RECORD, record);
      if (crashed) await announce(tx, before, { kind: "AGENT_CRASHED", at });
      await announce(tx, record, { kind: "AGENT_REGISTERED", at });
    }),
  );
  let timer = clock.after(0, publish);
  let closed = false;

  function publish(): void {
    attempt("publish", publishNow)
      .catch((error: unknown) => log.error({ error: String(error) }, "the registry failed"))
      .finally(() => {
        if (!closed) timer = clock.after(PUBLISH_MS, publish);
      });
  }

  async function publishNow(): Promise<void> {
    const { store, paths } = factory;
    const probe: Probe = (id) => ports.terminal.probe(id);
    const view = await daemonView({ store, paths, probe, now: clock.now() });
    if (view === undefined) return;
    await ports.publisher.publish(path, `${JSON.stringify(view, null, 2)}\n`);
  }

  return {
    close: async () => {
      closed = true;
      timer.cancel();
      const endedAt = clock.now();
      await attempt("sign off", async () => {
        await store.transaction(async (tx) => {
          await tx.records.put(...DAEMON_RECORD, { ...record, endedAt });
          await announce(tx, record, { kind: "AGENT_TERMINATED", at: endedAt });
        });
        await publishNow();
      });
    },
  };
}

/** The registry is not worth failing for: on a full disk the daemon serves all the same. */
const attempting =
  (log: Log) =>
  async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      log.error({ error: error.message }, `cannot ${what} the daemon's identity`);
    }
  };

/** The operator hears of every daemon that died, once. */
async function report(
  { engine, paths }: Pick<Factory, "engine" | "paths">,
  dead: DaemonRecord,
  at: number,
): Promise<void> {
  const since = new Date(dead.startedAt).toISOString();
  const letter = {
    from: "daemon",
    to: OPERATOR,
    subject: `the daemon died and was started again`,
    body: `The one before (pid ${dead.pid}, since ${since}) did not shut down cleanly. Agents keep running and were adopted; see the end of ${paths.log}.`,
    priority: "high",
    key: `daemon ${dead.sessionId}`,
  } as const;
  const event = { kind: "mail-sent", at, project: FACTORY, letter } as const;
  await engine.loop.submit({ to: mailAggregate(FACTORY), event });
}

function successor(
  before: DaemonRecord | undefined,
  own: ProcessId | undefined,
  now: number,
): DaemonRecord {
  const name = hostname();
  const identity = `daemon-${name}`;
  const epoch = (before?.epoch ?? 0) + 1;
  return {
    identity,
    name,
    epoch,
    sessionId: sessionId(FACTORY, identity, epoch),
    pid: process.pid,
    process: own,
    startedAt: now,
    endedAt: undefined,
    predecessor: before?.sessionId,
  };
}

const announce = (
  tx: Transaction,
  record: DaemonRecord,
  news: { kind: SignalKind; at: number },
): Promise<void> =>
  tx.emit({
    ...news,
    project: FACTORY,
    identity: record.identity,
    run: undefined,
    detail: { session_id: record.sessionId, predecessor_id: record.predecessor ?? null },
  });
