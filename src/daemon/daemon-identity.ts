// Registers the daemon that runs here as an identity like any other (R1.5): one epoch per start,
// linked to its predecessor, published, and signed off when it ends.
import { hostname } from "node:os";
import { join } from "node:path";
import { FACTORY, sessionId } from "../core/ids.ts";
import type { SignalKind } from "../core/signal.ts";
import { OperationError } from "../lib/operation-error.ts";
import type { ProcessId } from "../ports/terminal.ts";
import type { Transaction } from "../ports/store.ts";
import type { Factory } from "./factory.ts";
import type { Log } from "./log.ts";
import { DAEMON_RECORD, daemonRecord, daemonView, type DaemonRecord } from "./views/daemon.ts";

const PUBLISH_MS = 30_000;

export async function registerDaemon(
  factory: Pick<Factory, "store" | "ports" | "paths">,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  const { store, ports, paths } = factory;
  const { clock } = ports;
  const before = await daemonRecord(store);
  const own = await ports.terminal.identify(process.pid);
  const record = successor(before, own, clock.now());
  const path = join(paths.home, "state", "identities", `${record.identity}.json`);
  /** The registry is not worth failing for: on a full disk the daemon serves all the same. */
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      log.error({ error: error.message }, `cannot ${what} the daemon's identity`);
    }
  };
  const at = clock.now();
  await attempt("register", () =>
    store.transaction(async (tx) => {
      await tx.records.put(...DAEMON_RECORD, record);
      const crashed = before !== undefined && before.endedAt === undefined;
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
    const view = await daemonView(factory);
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
