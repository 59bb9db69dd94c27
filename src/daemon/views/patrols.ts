// A patrol for people: its state in the journal, and the sign of life it published.
import { readUntrusted } from "../../adapters/shared/untrusted-file.ts";
import type { PatrolView, TriageView } from "../../api/patrols.ts";
import {
  newPatrol,
  STEPS,
  type Health,
  type Patrol,
  type PatrolName,
} from "../../core/patrol/patrol.ts";
import { orphanFound } from "../../core/words/patrol.ts";
import { patrolAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { StoreReader } from "../../ports/store.ts";
import { patrolFile } from "../patrol/sign-of-life.ts";
import type { Paths } from "../host/paths.ts";
import { iso } from "./agents.ts";

type Sign = { last_activity: string; rounds: number; every_s: number };

export async function patrolView(
  from: { store: StoreReader; paths: Paths },
  project: Project,
  name: PatrolName,
): Promise<PatrolView> {
  const stored = (await from.store.load(patrolAggregate(project.name, name)))?.state;
  const patrol = stored?.kind === "patrol" ? stored : newPatrol(project.name, name);
  const sign = await signOf(patrolFile(from.paths.state(project.name), name));
  return {
    patrol: name,
    project: project.name,
    enabled: project.config?.patrol?.enabled !== false,
    last_activity: sign?.last_activity ?? null,
    rounds: sign?.rounds ?? 0,
    every_s: sign?.every_s ?? null,
    steps: STEPS[name].map((id) => stepView(patrol, id)),
    health: Object.entries(patrol.health).map(([component, known]) => ({
      component,
      unresponsive_cycles: known.unresponsive,
      last_seen_healthy: lastHealthy(known, sign),
      detail: known.detail,
    })),
    orphans: Object.values(patrol.orphans).map(({ fact, since, settled }) => ({
      key: fact.key,
      what: orphanFound(fact),
      since: iso(since),
      settled: settled ?? null,
    })),
    triage: triageView(patrol),
  };
}

/** A healthy part was healthy in the last round, which is written nowhere else. */
function lastHealthy({ unresponsive, lastHealthy: at }: Health, sign: Sign | undefined) {
  if (unresponsive === 0 && sign !== undefined) return sign.last_activity;
  return at === undefined ? null : iso(at);
}

function triageView({ triage }: Patrol): TriageView | null {
  if (triage === undefined) return null;
  return {
    asked: triage.asked,
    day: triage.day,
    open: triage.open.map(({ letter: { id: letter, from, subject }, until }) => {
      return { letter, from, subject, until: iso(until) };
    }),
    log: triage.log.map((note) => ({ ...note, at: iso(note.at) })),
  };
}

function stepView({ notes }: Patrol, id: string): PatrolView["steps"][number] {
  const note = notes[id];
  return { id, at: note === undefined ? null : iso(note.at), note: note?.text ?? "" };
}

const SIGN_MAX_BYTES = 64 * 1024;

/** Before the first round there is none. */
async function signOf(path: string): Promise<Sign | undefined> {
  const text = await readUntrusted(path, SIGN_MAX_BYTES);
  return text === undefined ? undefined : (JSON.parse(text) as Sign);
}
