// All panes of the server in one question. A life's session carries its folder and its marks as
// options of its own, because its name may be taken and its pid is known only later.
import type { LifeMarks } from "../../ports/terminal.ts";
import { ask, failed } from "./tmux.ts";
import type { Tmux } from "./tmux.ts";

export type Marks = LifeMarks;

export type Pane = {
  session: string;
  /** `$N`, never used twice by a server. */
  sessionId: string;
  pane: string;
  pid: number;
  dead: boolean;
  attached: boolean;
  activeAtS: number;
  life: string;
  dir: string;
};

export const LIFE_OPTION = "@pawl_life";
export const DIR_OPTION = "@pawl_dir";
export const LOG_OPTION = "@pawl_log";
/** On a pane: the mark of the last paste into it. */
export const PASTED_OPTION = "@pawl_pasted";

export const lifeOf = (marks: Marks): string => `${marks.project} ${marks.run} ${marks.epoch}`;

/** Undefined for a session that Pawl did not make. */
export function marksIn(life: string): LifeMarks | undefined {
  const [project, run, epoch] = life.split(" ");
  if (project === undefined || run === undefined || !/^\d+$/.test(epoch ?? "")) return undefined;
  return { project, run, epoch: Number(epoch) };
}

const FORMAT = [
  "session_name",
  "session_id",
  "pane_id",
  "pane_pid",
  "pane_dead",
  "session_attached",
  "window_activity",
  LIFE_OPTION,
  DIR_OPTION,
]
  .map((name) => `#{${name}}`)
  .join("\t");

export async function listPanes(tmux: Tmux): Promise<Pane[]> {
  const answer = await ask(tmux, { commands: [["list-panes", "-a", "-F", FORMAT]] });
  if (answer.kind === "ok") return answer.stdout.split("\n").flatMap((line) => parsePane(line));
  if (answer.kind === "no-server" || answer.kind === "lost") return [];
  // What 3.3a says where there is not one session.
  if (/^no (current target|sessions)/.test(answer.said)) return [];
  throw failed("list the panes", answer);
}

export function parsePane(line: string): Pane[] {
  const [session, sessionId, pane, pid, dead, attached, active, life, dir] = line.split("\t");
  if (session === undefined || sessionId === undefined || pane === undefined) return [];
  return [
    {
      session,
      sessionId,
      pane,
      pid: Number(pid),
      dead: dead === "1",
      attached: Number(attached) > 0,
      activeAtS: Number(active),
      life: life ?? "",
      dir: dir ?? "",
    },
  ];
}
