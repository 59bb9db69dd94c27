// The live view: one line for everything that changes, as a story that can be read afterwards too.
import { styleText } from "node:util";
import type { RunView, StatusView } from "../../api/runs.ts";
import type { Foreground } from "../daemon-main.ts";
import type { Deps } from "../deps.ts";

export type Story = {
  /** Resolves when nothing moves any more; the status is the last one. */
  untilIdle(): Promise<StatusView>;
};

export function createStory(
  deps: Pick<Deps, "stderr" | "now">,
  foreground: Pick<Foreground, "status" | "onChange" | "look">,
): Story {
  const shown = new Map<string, string>();
  let looking = false;
  let again = false;
  let idle: ((status: StatusView) => void) | undefined;
  let fail: ((error: unknown) => void) | undefined;

  function show(status: StatusView): void {
    for (const run of status.runs) {
      if (shown.get(run.run) === run.doing) continue;
      shown.set(run.run, run.doing);
      deps.stderr(`${line(deps.now(), run)}\n`);
    }
  }

  async function look(): Promise<void> {
    const status = await foreground.status();
    show(status);
    if (idle === undefined || !status.idle) return;
    // Nothing moves here; what landed last may have made new work ready.
    await foreground.look();
    const after = await foreground.status();
    show(after);
    if (after.idle) idle(after);
  }

  function changed(): void {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    look()
      .catch((error: unknown) => fail?.(error))
      .finally(() => {
        looking = false;
        if (again) {
          again = false;
          changed();
        }
      });
  }

  const stop = foreground.onChange(changed);
  changed();
  return {
    untilIdle: () =>
      new Promise<StatusView>((resolve, reject) => {
        idle = resolve;
        fail = reject;
        changed();
      }).finally(stop),
  };
}

function line(now: number, run: RunView): string {
  const time = new Date(now).toTimeString().slice(0, 8);
  const text = colour(run)(run.doing);
  return `${styleText("dim", time)}  ${styleText("bold", `#${run.issue}`.padEnd(5))} ${run.title.slice(0, 40).padEnd(40)}  ${text}`;
}

function colour(run: RunView): (text: string) => string {
  if (run.outcome === "landed") return (text) => styleText("green", text);
  if (run.needs_you !== null || run.outcome === "blocked") return (text) => styleText("red", text);
  if (run.doing.startsWith("mending") || run.doing.startsWith("crashed")) {
    return (text) => styleText("yellow", text);
  }
  return (text) => text;
}

/** What waits for a person, a line each, with the command that answers it. */
export const needsYou = (status: StatusView): string[] =>
  status.waits
    .filter((wait) => wait.needs_you)
    .map(
      (wait) => `${wait.about}: ${wait.why}${wait.command === null ? "" : `\n  ${wait.command}`}`,
    );
