import { expect, test } from "vitest";
import { SimClock } from "../../../sim/fakes/clock.ts";
import { testConfig } from "../../../test/support/config.ts";
import { projectName } from "../../core/ids.ts";
import type { AggregateFilter } from "../../ports/store.ts";
import { createPatrols, type PatrolsDeps } from "./patrols.ts";

const MINUTE_MS = 60_000;

test("projects are read one after the other, with claimed issues alone for the deacon and none for the witness", async () => {
  const clock = new SimClock();
  const names = ["a", "b", "c"].map(projectName);
  const all = names.map((name) => ({ state: { kind: "project", name, config: testConfig() } }));
  const reads: [string, number][] = [];
  const read = (what: string): void => void reads.push([what, clock.monotonicMs()]);
  const patrols = createPatrols({
    store: {
      aggregates: ({ project, isBrief, labelled }: AggregateFilter) => {
        if (project === undefined) return Promise.resolve(all);
        read(`${project} ${isBrief === true ? "in brief" : labelled}`);
        return Promise.resolve([]);
      },
      load: (id: string) => {
        read(id);
        return Promise.resolve(undefined);
      },
    },
    ports: { clock },
    scope: () => true,
    onError: () => undefined,
  } as unknown as PatrolsDeps);
  patrols.start();
  await clock.until(clock.sleep(5.5 * MINUTE_MS));
  patrols.stop();
  expect(new Set(reads.map(([, at]) => at)).size).toBe(reads.length);
  const deacon = ["a in-progress", "b in-progress", "c in-progress"];
  const witness = ["a in brief", "b in brief", "c in brief"];
  expect(reads.map(([what]) => what)).toEqual([...deacon, ...deacon, ...witness]);
});

test("a wall clock that is set back delays no round", async () => {
  const clock = new SimClock();
  const state = { kind: "project", name: projectName("toy"), config: testConfig() };
  const begun: unknown[] = [];
  const patrols = createPatrols({
    store: {
      aggregates: () => Promise.resolve([{ state }]),
      // A round ends here: this test counts those that began.
      load: () => Promise.resolve(undefined),
    },
    ports: { clock },
    scope: () => true,
    onError: (error: unknown) => begun.push(error),
  } as unknown as PatrolsDeps);
  patrols.start();
  await clock.until(clock.sleep(4.5 * MINUTE_MS));
  expect(begun).toHaveLength(2);
  // It was a day ahead.
  clock.jump(-24 * 60 * MINUTE_MS);
  // The deacon at 6, 8 and 10 minutes, the witness at 5 and 10.
  await clock.until(clock.sleep(6 * MINUTE_MS));
  expect(begun).toHaveLength(7);
  patrols.stop();
});
