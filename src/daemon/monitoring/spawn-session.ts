// Starts and ends monitored sessions through the same terminal adapter as every other session of
// the factory: exact targets, an exit record, the whole output in a log.
import { TERMINAL_SIZE } from "../../ports/terminal.ts";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { RUNTIMES } from "../../adapters/runtimes.ts";
import { readLifeRecord } from "../../adapters/shared/life-record.ts";
import { sessionName } from "../../core/monitoring/session-name.ts";
import { agentOf, buildCommand } from "./build-command.ts";
import { gitFacts } from "./git-facts.ts";
import { note } from "./ledger.ts";
import type { MonitorPlace } from "./monitor-place.ts";
import { ownEnvironment } from "./own-environment.ts";
import {
  claimName,
  listSessions,
  markKilled,
  removeSession,
  storeSession,
} from "./stored-sessions.ts";
import type { FoundSession } from "./stored-sessions.ts";

export type SpawnOptions = {
  step: string;
  epic: string;
  story: string;
  cycle: string | undefined;
  agent: string | undefined;
  /** A shell command; the step's own where it is left out. */
  command: string | undefined;
  now: number;
};

const GRACE_MS = 3_000;
const KEPT_MS = 24 * 60 * 60_000;
const SHELLS = ["sh", "bash", "dash", "zsh", "ksh"];
export const LOG = "pane.log";
/** What agents are started with, whichever of them the command turns out to be. */
const FILES = RUNTIMES.flatMap(({ monitored }) => monitored?.file ?? []);

export function nameFor(
  { slug }: MonitorPlace,
  options: Pick<SpawnOptions, "step" | "epic" | "story" | "cycle" | "now">,
): string {
  const { step, epic, story, cycle } = options;
  return sessionName({ slug, stamp: stampOf(options.now), step, epic, story, cycle });
}

function stampOf(at: number): string {
  const time = new Date(at);
  const two = (number: number): string => String(number % 100).padStart(2, "0");
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join("");
  return `${day}-${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join("")}`;
}

export async function spawnSession(place: MonitorPlace, options: SpawnOptions): Promise<string> {
  const { step, story, epic } = options;
  const agent = agentOf(place.env, options.agent);
  const command = options.command ?? buildCommand(place.env, { ...options, extra: undefined });
  await forgetOld(place, options.now);
  const git = await gitFacts(place.root);
  const name = await claimName(place, nameFor(place, options));
  const dir = join(place.sessions, name);
  const createdAt = options.now;
  const session = { name, step, epic, story, agent, root: place.root, hash: place.hash, git };
  try {
    for (const { name: file, content } of FILES) {
      await writeFile(join(dir, file), content, { mode: 0o600 });
    }
    await storeSession(dir, { schemaVersion: 1, ...session, createdAt });
    await note(place.ledger, { kind: "spawned", at: createdAt, name, step, story, agent, git });
    await place.terminal.spawn({
      name,
      cwd: place.root,
      argv: [shellOf(place), "-c", command],
      env: environmentOf(place, { name, dir, agent }),
      dir,
      logFile: join(dir, LOG),
      size: TERMINAL_SIZE,
    });
  } catch (error) {
    await endSession(place, { ...session, schemaVersion: 1, createdAt, dir });
    throw error;
  }
  return name;
}

/** The user's own shell where it understands what sh does. */
function shellOf({ env }: MonitorPlace): string {
  const shell = env["SHELL"] ?? "";
  return SHELLS.includes(basename(shell)) ? shell : "/bin/sh";
}

/** The caller's environment without what would make the agent take itself for another one. */
function environmentOf(
  place: MonitorPlace,
  { name, dir, agent }: { name: string; dir: string; agent: string },
): Record<string, string> {
  const isOther = /^(?:PAWL_(?!HOME$)|TMUX|BASH_ENV$|TERM$)/;
  const own = Object.entries(ownEnvironment(place.env)).filter(([key]) => !isOther.test(key));
  return {
    ...Object.fromEntries(own),
    AI_AGENT: agent,
    STORY_AUTOMATOR_CHILD: "true",
    PAWL_PROJECT: marksOf(place.hash, name).project,
    PAWL_RUN: name,
    PAWL_EPOCH: "1",
    PAWL_PHASE_FILE: join(dir, "phase"),
    ...Object.fromEntries(FILES.map(({ variable, name: file }) => [variable, join(dir, file)])),
  };
}

const marksOf = (hash: string, name: string) => ({
  project: `monitor:${hash}`,
  run: name,
  epoch: 1,
});

/** Ends exactly this one and removes its folder; its output stays for a day. Safe to repeat. */
export async function endSession(place: MonitorPlace, session: FoundSession): Promise<void> {
  const { dir, name, hash } = session;
  await markKilled(dir);
  const life = await readLifeRecord(dir);
  await place.terminal.end({
    tmuxSession: life?.tmuxSession,
    process: life?.wrapper,
    marks: { ...marksOf(hash, name), dir },
    graceMs: GRACE_MS,
  });
  await removeSession(dir);
}

/** Sessions that were not cleaned up are removed a day after they ended; living ones never. */
async function forgetOld(place: MonitorPlace, now: number): Promise<void> {
  await mkdir(place.outputs, { recursive: true, mode: 0o700 });
  for (const session of await listSessions(place, { projectOnly: true })) {
    const { exit } = await place.files.read({ path: session.dir });
    if (exit !== undefined && now - exit.endedAt > KEPT_MS) await endSession(place, session);
  }
}
