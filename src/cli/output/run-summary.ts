// The line at the bottom of `pawl run` and `pawl demo`: what happened since they began.
import type { StatusView } from "../../api/runs.ts";
import type { Foreground } from "../daemon-main.ts";
import type { Deps } from "../deps.ts";
import { bottomLine } from "./bottom-line.ts";
import { summaryLine, type Summed } from "./summary-line.ts";
import { paint } from "./text.ts";

export type RunSummary = {
  /** To be used by the command: what it writes scrolls above the line. */
  deps: Deps;
  /** Begins to follow. */
  follow(foreground: Pick<Foreground, "first" | "status" | "onChange">): void;
  /** The line of the last status. */
  text(status: StatusView): string;
  [Symbol.dispose](): void;
};

export function runSummary(deps: Deps): RunSummary {
  const line = bottomLine(deps);
  const began = deps.now();
  if (deps.stderrColumns() > 0) line.set(() => "starting …");
  const sums = new SumsSince();
  let isLooking = false;
  let isAgain = false;
  let unsubscribe = (): void => undefined;

  const summed = (status: StatusView): Summed => {
    const now = deps.now();
    const { landed, usd, estimatedUsd } = sums;
    return { status, since: "start", elapsedMs: now - began, landed, usd, estimatedUsd, now };
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
        sums.take(status, deps.now());
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
      sums.take(foreground.first, deps.now());
      unsubscribe = foreground.onChange(() => lookAgain(foreground));
      lookAgain(foreground);
    },
    text: (status) => {
      sums.take(status, deps.now());
      return summaryLine(summed(status), Infinity);
    },
    [Symbol.dispose]: () => {
      process.off("exit", stop);
      stop();
    },
  };
}

/** A status tells the cost of its day and the landings of the last 24 hours: what each adds is kept. */
class SumsSince {
  landed = 0;
  usd = 0;
  estimatedUsd = 0;
  #known: Set<string> | undefined;
  readonly #spent = new Map<string, { day: string; usd: number; estimatedUsd: number }>();

  /** One that was read a little before the last one may come after it: it adds nothing. */
  take(status: StatusView, now: number): void {
    const day = new Date(now).toISOString().slice(0, 10);
    const isFirst = this.#known === undefined;
    for (const { name, today } of status.projects) {
      const { usd = 0, estimated_usd: estimatedUsd = 0 } = today ?? {};
      const spent = this.#spend(name, { day, usd, estimatedUsd });
      if (isFirst) continue;
      this.usd += spent.usd;
      this.estimatedUsd += spent.estimatedUsd;
    }
    const landed = landedIn(status);
    const known = this.#known ?? landed;
    for (const run of landed) {
      if (!known.has(run)) this.landed += 1;
      known.add(run);
    }
    this.#known = known;
  }

  /** What a project spent since it was last asked about. */
  #spend(name: string, now: { day: string; usd: number; estimatedUsd: number }) {
    const last = this.#spent.get(name);
    const isNewDay = last !== undefined && last.day !== now.day && now.usd < last.usd;
    const before = last === undefined || isNewDay ? { usd: 0, estimatedUsd: 0 } : last;
    this.#spent.set(name, {
      day: now.day,
      usd: Math.max(now.usd, before.usd),
      estimatedUsd: Math.max(now.estimatedUsd, before.estimatedUsd),
    });
    return {
      usd: Math.max(0, now.usd - before.usd),
      estimatedUsd: Math.max(0, now.estimatedUsd - before.estimatedUsd),
    };
  }
}

const landedIn = ({ runs }: StatusView): Set<string> =>
  new Set(
    runs
      .filter(({ outcome }) => outcome === "landed")
      .map(({ project, run }) => `${project}/${run}`),
  );
