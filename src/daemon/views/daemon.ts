// The daemon as the registry shows it: its record is in the journal, what it is seen by is the
// heartbeat. One that did not shut down cleanly and whose process is gone has crashed.
import { stat } from "node:fs/promises";
import type { AgentView } from "../../api/agents.ts";
import { FACTORY, type SessionId } from "../../core/ids.ts";
import { errorCode } from "../../lib/error-code.ts";
import type { StoreReader } from "../../ports/store.ts";
import type { ProcessId } from "../../ports/terminal.ts";
import type { Paths } from "../host/paths.ts";
import type { Probe } from "./agent-list.ts";
import { iso, livenessOf } from "./agents.ts";

const COLLECTION = "identities";
const STALE_MS = 5 * 60_000;

export type DaemonRecord = {
  identity: string;
  name: string;
  epoch: number;
  sessionId: SessionId;
  pid: number;
  process: ProcessId | undefined;
  startedAt: number;
  endedAt: number | undefined;
  predecessor: SessionId | undefined;
};

export const DAEMON_RECORD = [COLLECTION, "daemon"] as const;

export const daemonRecord = async (
  store: Pick<StoreReader, "records">,
): Promise<DaemonRecord | undefined> =>
  (await store.records.get<DaemonRecord>(...DAEMON_RECORD))?.value;

/** The last daemon of this factory; undefined where there never was one. */
export async function daemonView(from: {
  store: Pick<StoreReader, "records">;
  probe: Probe;
  now: number;
  paths: Paths;
}): Promise<AgentView | undefined> {
  const record = await daemonRecord(from.store);
  if (record === undefined) return undefined;
  const { identity, name, epoch, startedAt, endedAt } = record;
  const status = await statusOf(record, from.probe);
  const seenAt = endedAt ?? Math.max(startedAt, await heartbeatAt(from.paths.heartbeat));
  const isActive = status === "active";
  return {
    role: "daemon",
    name,
    identity,
    project: FACTORY,
    session_id: record.sessionId,
    pid: record.pid,
    tmux_session: null,
    node_id: null,
    bead_id: null,
    worktree_path: from.paths.home,
    hook_path: null,
    created_at: iso(startedAt),
    last_seen: iso(seenAt),
    last_progress: iso(seenAt),
    status,
    predecessor_id: record.predecessor ?? null,
    epoch,
    run: null,
    liveness: livenessOf({ status: isActive ? "live" : "ended" }, from.now - seenAt, STALE_MS),
    stage: isActive ? "serving" : "ended",
    phase: null,
    verdict: null,
    waiting: null,
    context: null,
    orphan: null,
  };
}

async function statusOf(record: DaemonRecord, probe: Probe): Promise<AgentView["status"]> {
  if (record.endedAt !== undefined) return "terminated";
  if (record.process === undefined) return "active";
  return (await probe(record.process)) === "dead" ? "crashed" : "active";
}

async function heartbeatAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return 0;
    throw error;
  }
}
