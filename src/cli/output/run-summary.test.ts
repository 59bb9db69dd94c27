import { expect, test } from "vitest";
import type { StatusView } from "../../api/runs.ts";
import type { Deps } from "../deps.ts";
import { runSummary } from "./run-summary.ts";

/** What a status shows of the day: its cost, and the runs that landed in the last 24 hours. */
const status = (usd: number, landed: string[]): StatusView =>
  ({
    projects: [{ name: "toy", parallel: 3, today: { usd, tokens: 0, landed: 0 } }],
    runs: landed.map((run) => ({ project: "toy", run, outcome: "landed", alive: false })),
    queue: [],
    waits: [],
    next: null,
  }) as unknown as StatusView;

function summaryOver(first: StatusView) {
  let now = 0;
  const deps = { stderr: () => undefined, stderrColumns: () => 0, now: () => now };
  const summary = runSummary(deps as unknown as Deps);
  let shown = first;
  let changed = (): void => undefined;
  summary.follow({
    first,
    status: async () => shown,
    onChange: (listener) => {
      changed = listener;
      return () => undefined;
    },
  });
  const show = async (next: StatusView): Promise<void> => {
    shown = next;
    changed();
    await new Promise(setImmediate);
  };
  return { summary, show, wait: (ms: number) => void (now += ms) };
}

test("what was spent and landed since the start does not become less with a new day", async () => {
  const { summary, show, wait } = summaryOver(status(5, ["1.1"]));
  using _summary = summary;
  await show(status(5, ["1.1"]));
  await show(status(7, ["1.1", "2.1"]));
  wait(24 * 3_600_000);
  // After midnight: the day's cost begins at zero. Later the first ones are no longer shown.
  await show(status(0, ["1.1", "2.1"]));
  await show(status(1.5, ["3.1"]));
  expect(summary.text(status(1.5, ["3.1"]))).toContain("2 landed · $3.50");
});

test("the last line counts what the last status shows, also before the first look is over", () => {
  const { summary } = summaryOver(status(5, []));
  using _summary = summary;
  expect(summary.text(status(5, []))).toContain("0 landed · $0.00");
  expect(summary.text(status(6, ["1.1"]))).toContain("1 landed · $1.00");
});

test("what landed and cost before the first look counts, because it followed the start", () => {
  const { summary } = summaryOver(status(5, ["1.1"]));
  using _summary = summary;
  expect(summary.text(status(6, ["1.1", "2.1"]))).toContain("1 landed · $1.00");
});

test("a status that was read before the last one adds nothing", () => {
  const { summary } = summaryOver(status(5, []));
  using _summary = summary;
  summary.text(status(5, []));
  summary.text(status(7, ["1.1", "2.1"]));
  expect(summary.text(status(6, ["1.1"]))).toContain("2 landed · $2.00");
});
