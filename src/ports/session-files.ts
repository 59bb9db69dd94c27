// The files through which Pawl and an agent talk: prompt, phase, inbox, spool, exit
// record; one folder per epoch, so that an earlier life has nowhere to speak.
//
// Contract. Folders are watched, never files. Every wake lists the folder, and live sessions are
// also listed every 2 s, because inotify drops events under load. Observations may repeat: the
// reader removes duplicates by stamp or name. Nothing here blocks an agent.
import type { ResultFile } from "../core/task.ts";
import type { ExitRecord, ProcessId, TerminalSize } from "./terminal.ts";

export type SessionDir = { /** runs/{run}/{epoch} of its project, absolute. */ path: string };

/** Beside the phase file: what an agent answers to a task, and what was known before it. */
export const RESULT_FILE = "result.json";
export const INPUTS_FOLDER = "inputs";
/** Messages that Pawl types, below an epoch's folder. */
export const TYPED_FOLDER = "inbox/typed";

export type PhaseFile = {
  /** Changes with every write, also of the same text. */
  stamp: string;
  text: string;
  /** What the result file held at least as late as the phase, where there is one. */
  result?: ResultFile;
};

export type SpoolFile = { name: string; text: string };

export type SessionSnapshot = {
  phase: PhaseFile | undefined;
  spool: SpoolFile[];
  /** Ids of messages the agent has moved to cur/. */
  acknowledged: string[];
  exit: ExitRecord | undefined;
  process: ProcessId | undefined;
};

export type WatchedSession = {
  dir: SessionDir;
  /** Called with the whole folder whenever something changed, and soon after the wrapper is gone. */
  onChange: (snapshot: SessionSnapshot) => void;
  /** The wrapper's FIFO closed or a list found its process gone: the caller should look. */
  onMaybeGone: () => void;
};

export type SessionFiles = {
  /**
   * Makes the epoch's folder with its maildirs, prompt.md and a file for each of `inputs`, whose
   * names are single parts of a path. Safe to repeat.
   */
  prepare(request: {
    dir: SessionDir;
    prompt: string;
    phaseLink: string;
    inputs?: Record<string, string>;
  }): Promise<{
    /** A path that is not Pawl's is left as it is and reported. */
    phaseLink: "linked" | "taken";
  }>;
  read(dir: SessionDir): Promise<SessionSnapshot>;
  /** Puts new/{id}.md, unless the agent has it already (in new/, typed/ or cur/). */
  deliver(request: { dir: SessionDir; id: string; text: string }): Promise<"delivered" | "already">;
  /**
   * From now on the agent's hook takes this message only with the prompt that it is: it is being typed.
   * `isSent`: Enter is about to be pressed, so that the agent may have it without saying so. That is
   * kept for the whole life. `taken`: the agent has it already.
   */
  hold(request: { dir: SessionDir; id: string; isSent?: boolean }): Promise<"held" | "taken">;
  /**
   * Typing was given up: a held message joins the next prompt as mail again, unless it was sent. One
   * that is not held is fine.
   */
  release(request: { dir: SessionDir; id: string }): Promise<void>;
  /** Puts answer-{id}.json into the folder: what the session asked. */
  answer(request: { dir: SessionDir; id: string; text: string }): Promise<void>;
  /** Takes a spool file away once its event is in the journal. Unknown names are fine. */
  removeSpool(request: { dir: SessionDir; name: string }): Promise<void>;
  watch(session: WatchedSession): { close(): void };
  /** Removes the link (if it is ours) when the run is over. */
  unlinkPhase(request: { dir: SessionDir; phaseLink: string }): Promise<void>;
  /** The end of a log, without escape sequences, at most `maxBytes`. */
  logTail(request: { logFile: string; maxBytes: number }): Promise<string>;
  /**
   * What a terminal of this size showed, line by line and drawn from its log, at most the last
   * `maxBytes`. Only the last few megabytes of a log are drawn.
   */
  terminalLog(request: { logFile: string; maxBytes: number; size: TerminalSize }): Promise<string>;
};
