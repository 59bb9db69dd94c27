// Makes the tmux session of a life: the server with its options where there is none, the session,
// its marks and its log, in one question. The server carries out all of it before it reads the
// pane's first byte, so the beginning of the output cannot be missed.
import { setTimeout as delay } from "node:timers/promises";
import { OperationError } from "../../lib/operation-error.ts";
import type { SpawnRequest } from "../../ports/terminal.ts";
import { TERM } from "./launch-file.ts";
import { DIR_OPTION, LIFE_OPTION, LOG_OPTION } from "./panes.ts";
import { ask, failed } from "./tmux.ts";
import type { Answer, Tmux } from "./tmux.ts";

const NAMES_MAX = 100;
const TRIES_MAX = 6;
const FIRST_DELAY_MS = 10;

/** Set with every session, because the server may be a new one. -q: older servers lack some. */
const SERVER_OPTIONS: [string, string][] = [
  // The server stays when the last session goes: one that is just leaving refuses the next session.
  ["exit-empty", "off"],
  ["default-terminal", TERM],
  ["escape-time", "10"],
  ["set-clipboard", "off"],
  ["status", "off"],
  ["history-limit", "5000"],
  ["remain-on-exit", "off"],
  ["automatic-rename", "off"],
  ["destroy-unattached", "off"],
  ["update-environment", ""],
  ["default-shell", "/bin/sh"],
  ["bell-action", "none"],
];

export type SessionStart = Pick<SpawnRequest, "dir" | "logFile" | "size" | "name"> & {
  life: string;
  wrapper: string;
};

/** tmux itself replaces `.` and `:`, and reads `#` as a format. */
export function sessionName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").replace(/^-/, "_");
  return plain === "" ? "agent" : plain;
}

/** A name that is taken gets a suffix. */
export async function startSession(tmux: Tmux, start: SessionStart): Promise<void> {
  const base = sessionName(start.name);
  for (let number = 1; number <= NAMES_MAX; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    const answer = await askUntilServed(tmux, commands(start, name));
    if (answer.kind === "ok") return;
    if (!answer.said.startsWith("duplicate session")) {
      throw failed(`create the session ${name}`, answer);
    }
  }
  throw new OperationError(
    `cannot create the session ${base}: ${NAMES_MAX} like it exist already`,
    {
      code: "session-names-exhausted",
      hint: "end sessions that are not needed",
    },
  );
}

/** A server that is just starting or going away refuses; the next one is a moment away. */
async function askUntilServed(tmux: Tmux, question: string[][]): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(tmux, { commands: question });
    const served = answer.kind === "ok" || answer.kind === "refused";
    if (served || attempt === TRIES_MAX) return answer;
    await delay(FIRST_DELAY_MS * 2 ** attempt);
  }
}

function commands(start: SessionStart, name: string): string[][] {
  const target = `=${name}:`;
  const { columns, rows } = start.size;
  return [
    ...SERVER_OPTIONS.map(([option, value]) => ["set-option", "-gq", option, value]),
    // Several words are executed as they are; only a single one would go through a shell.
    `new-session -d -s ${name} -n agent -x ${columns} -y ${rows} /bin/sh`
      .split(" ")
      .concat(start.wrapper, "leader", start.dir, name, start.logFile),
    ["set-option", "-t", target, DIR_OPTION, start.dir],
    ["set-option", "-t", target, LIFE_OPTION, start.life],
    ["set-option", "-t", target, LOG_OPTION, start.logFile],
    // The path is quoted by tmux (q:), so that the command given to it holds none of our words.
    ["pipe-pane", "-O", "-t", target, `exec cat >>#{q:${LOG_OPTION}}`],
  ];
}
