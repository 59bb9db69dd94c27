// One look at a monitored session from outside. What cannot be seen is left out, never guessed.
import { join } from "node:path";
import { readLifeRecord } from "../../adapters/shared/life-record.ts";
import type { Look } from "../../core/monitoring/live-state.ts";
import { wordsOf } from "../../core/monitoring/screen.ts";
import { parseStatusline } from "../../core/session/statusline.ts";
import type { MonitorPlace } from "./monitor-place.ts";
import { LOG } from "./spawn-session.ts";
import type { FoundSession } from "./stored-sessions.ts";

export type Seen = { look: Look; screen: string };

const SCREEN_MAX_BYTES = 16 * 1024;

export async function lookAtSession(place: MonitorPlace, session: FoundSession): Promise<Seen> {
  const { terminal, files } = place;
  const snapshot = await files.read({ path: session.dir });
  const life = await readLifeRecord(session.dir);
  const alive = life === undefined ? "none" : await terminal.probe(life.wrapper);
  const look: Look = {
    at: Date.now(),
    exit: snapshot.exit,
    process: alive,
    phase: phaseIn(snapshot.phase?.text),
    cpuMs: undefined,
    running: undefined,
    words: undefined,
    clock: undefined,
  };
  if (life === undefined || alive !== "alive" || snapshot.exit !== undefined) {
    return { look, screen: await endOfLog(place, session) };
  }
  const cpu = await terminal.cpu([life.wrapper]);
  const use = cpu === "unknown" ? undefined : cpu.get(life.wrapper.pid);
  const screens = await terminal.screens([life.pane]);
  const screen = screens === "unknown" ? undefined : screens.get(life.pane);
  const words = screen === undefined ? undefined : wordsOf(screen);
  const clock = screen === undefined ? undefined : parseStatusline(screen).clock;
  const seen = { cpuMs: use?.usedMs, running: use?.running, words, clock, at: Date.now() };
  return { look: { ...look, ...seen }, screen: screen ?? "" };
}

const phaseIn = (text: string | undefined): string | undefined =>
  /^\s*PHASE:\s*(\w+)/.exec(text ?? "")?.[1];

const endOfLog = ({ files }: MonitorPlace, { dir }: FoundSession): Promise<string> =>
  files.logTail({ logFile: join(dir, LOG), maxBytes: SCREEN_MAX_BYTES });
