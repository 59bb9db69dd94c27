// The line at the bottom of `pawl run` and `pawl demo`: what happened since they began.
import type { StatusView } from "../../api/runs.ts";
import type { Foreground } from "../daemon-main.ts";
import type { Deps } from "../deps.ts";
import { bottomLine } from "./bottom-line.ts";
import { ofToday, summaryLine, type Summed } from "./summary-line.ts";
import { paint } from "./text.ts";

export type RunSummary = {
  /** To be used by the command: what it writes scrolls above the line. */
  deps: Deps;
  /** Begins to follow. */
  follow(foreground: Pick<Foreground, "status" | "onChange">): void;
  /** The last state as a line; undefined before the first. */
  text(): string | undefined;
  [Symbol.dispose](): void;
};

export function runSummary(deps: Deps): RunSummary {
  const line = bottomLine(deps);
  const began = deps.now();
  if (deps.stderrColumns() > 0) line.set(() => "starting …");
  let first: { landed: Set<string>; usd: number } | undefined;
  let last: StatusView | undefined;
  let isLooking = false;
  let isAgain = false;
  let unsubscribe = (): void => undefined;

  const summed = (status: StatusView): Summed => {
    first ??= { landed: landedIn(status), usd: ofToday(status).usd };
    const { landed, usd } = first;
    const fresh = [...landedIn(status)].filter((run) => !landed.has(run)).length;
    const spent = Math.max(0, ofToday(status).usd - usd);
    const now = deps.now();
    return { status, elapsedMs: now - began, landed: fresh, usd: spent, now };
  };
  const look = async (foreground: Pick<Foreground, "status">): Promise<void> => {
    if (isLooking) {
      isAgain = true;
      return;
    }
    isLooking = true;
    try {
      do {
        isAgain = false;
        const status = await foreground.status();
        last = status;
        line.set((columns) => paint(deps, "inverse", summaryLine(summed(status), columns)));
      } while (isAgain);
    } finally {
      isLooking = false;
    }
  };
  // What keeps the status from being read is reported by the command itself.
  const lookAgain = (foreground: Pick<Foreground, "status">): void =>
    void look(foreground).catch(() => undefined);
  const stop = (): void => {
    unsubscribe();
    line.stop();
  };
  // Ctrl-C ends the process without coming back here.
  process.once("exit", stop);
  return {
    deps: { ...deps, stderr: line.stderr },
    follow: (foreground) => {
      unsubscribe = foreground.onChange(() => lookAgain(foreground));
      lookAgain(foreground);
    },
    text: () => (last === undefined ? undefined : summaryLine(summed(last), Infinity)),
    [Symbol.dispose]: () => {
      process.off("exit", stop);
      stop();
    },
  };
}

const landedIn = ({ runs }: StatusView): Set<string> =>
  new Set(
    runs
      .filter(({ outcome }) => outcome === "landed")
      .map(({ project, run }) => `${project}/${run}`),
  );
