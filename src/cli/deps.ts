// What a command has at hand. Everything outside is injected, so that tests call a command as the
// shell does and read exactly what it writes.
import type { Client } from "./client.ts";
import type { QuitKey } from "./quit-key.ts";

export type Deps = {
  /** The result. */
  stdout: (text: string) => void;
  /** Everything else: notes, progress, errors. */
  stderr: (text: string) => void;
  isTty: boolean;
  /** A person is there to answer questions. */
  canAsk: boolean;
  /** Whether stdout shows colours: a terminal, and NO_COLOR is not set. */
  colour: boolean;
  columns: number;
  /** The size of the terminal that stdout shows on, now; undefined where it is none. */
  screen: () => { columns: number; rows: number } | undefined;
  /** How wide the terminal is that stderr shows on, now; 0 where it is none. */
  stderrColumns: () => number;
  /** Waits for a key that leaves a full screen. */
  quitKey: () => QuitKey;
  now: () => number;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  client: Client;
  /** Who acts, for the journal: the user's login name. */
  user: string;
  /** A name that nothing had before, so that a repeated request makes nothing twice. */
  newKey: () => string;
  /** The text of a file, `-` being stdin. */
  readText: (path: string) => Promise<string>;
  /** Writes a file whole: under `temporary` first, then in its place. */
  putText: (file: { temporary: string; path: string; text: string }) => Promise<void>;
  /** Gives the terminal to a program until it ends; its exit code. */
  runInTerminal: (argv: string[]) => Promise<number>;
};

/** Named exit codes. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  auth: 4,
  pending: 8,
  // The verdicts of `pawl monitor-session --exit-code`.
  incomplete: 10,
  crashed: 11,
  stuck: 12,
  timeout: 13,
  notFound: 14,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
