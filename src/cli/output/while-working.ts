// A sign that a command is at work: on a terminal, a line at the bottom from the second second on, so
// that what is over at once says nothing. It is removed when the work is over.
import { spanText } from "../../api/spans.ts";
import type { Client } from "../client.ts";
import type { Deps } from "../deps.ts";
import { cutAfterWord } from "./table.ts";
import { bottomLine, type BottomLine } from "./bottom-line.ts";

const AFTER_MS = 1_500;

type Terminal = Pick<Deps, "stderr" | "stderrColumns" | "now">;
/** For what is said during the work: it scrolls above the line. */
type Say = (text: string) => void;

/** Work inside other work has no line of its own. */
let isShown = false;

export async function whileWorking<T>(
  terminal: Terminal,
  { what, afterMs = AFTER_MS }: { what: string; afterMs?: number },
  work: (say: Say) => Promise<T>,
): Promise<T> {
  if (isShown || terminal.stderrColumns() === 0) return work(terminal.stderr);
  isShown = true;
  const began = terminal.now();
  let line: BottomLine | undefined;
  const timer = setTimeout(() => {
    line = bottomLine(terminal);
    line.set((columns) =>
      cutAfterWord(`${what} … ${spanText(Math.max(1000, terminal.now() - began))}`, columns),
    );
  }, afterMs);
  try {
    return await work((text) => (line ?? terminal).stderr(text));
  } finally {
    clearTimeout(timer);
    line?.stop();
    isShown = false;
  }
}

/** A client whose questions show that they take long. A command that follows has a screen of its own. */
export function withSign(client: Client, terminal: Terminal, afterMs?: number): Client {
  let isFollowing = false;
  const how = { what: "working", ...(afterMs === undefined ? {} : { afterMs }) };
  const shown = <T>(work: () => Promise<T>): Promise<T> =>
    isFollowing ? work() : whileWorking(terminal, how, work);
  const followed = <T>(work: () => Promise<T>): Promise<T> => {
    isFollowing = true;
    return work();
  };
  return {
    ...client,
    get: (path) => shown(() => client.get(path)),
    post: (path, body) => shown(() => client.post(path, body)),
    patch: (path, body) => shown(() => client.patch(path, body)),
    follow: (options) => followed(() => client.follow(options)),
    queueAtWork: () => followed(() => client.queueAtWork()),
    formulaAtWork: (id) => followed(() => client.formulaAtWork(id)),
  };
}
