// A factory as far as the bound of PAWL_HOME looks at it: a home on the disk with one project, and a
// journal in memory.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectAggregate, projectName, runAggregate, runId } from "../../src/core/ids.ts";
import type { AggregateState } from "../../src/core/step.ts";
import type { BoundPlace } from "../../src/daemon/host/bound-home.ts";
import { pathsOf } from "../../src/daemon/host/paths.ts";
import type { Checkpoints } from "../../src/ports/checkpoints.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

const NAME = projectName("demo");

export async function boundPlace(
  home: string,
  checkpoints: Pick<Checkpoints, "thin" | "tidy">,
  clock: { now: () => number },
) {
  const store = createMemoryStore();
  const paths = pathsOf(home, join(home, "runtime"));
  const known = {
    kind: "project",
    name: NAME,
    config: { workspace: {} },
  } as unknown as AggregateState;
  await store.transaction((tx) => tx.save(projectAggregate(NAME), known, undefined));
  const place = {
    store,
    paths,
    ports: {
      clock,
      project: async () => ({ checkpoints }),
      notifier: { notify: async () => undefined },
    },
    engine: {
      outbox: { pending: () => [] },
      transaction: store.transaction.bind(store),
    },
  } as unknown as BoundPlace;
  return {
    place,
    store,
    /** As `[home] max_gb` of factory.toml. */
    bound: (bytes: number): void =>
      writeFileSync(join(home, "factory.toml"), `[home]\nmax_gb = ${bytes / 1e9}\n`),
    /** Runs that are over, the oldest first; their folders. */
    endedRuns: (count: number): Promise<string[]> =>
      store.transaction(async (tx) => {
        mkdirSync(dirname(paths.run(NAME, runId("any"))), { recursive: true });
        const folders: string[] = [];
        for (let at = 1; at <= count; at += 1) {
          const id = runId(`${at}.1`);
          const run = { kind: "run", project: NAME, id, endedAt: at, stage: { kind: "ended" } };
          await tx.save(runAggregate(NAME, id), run as unknown as AggregateState, undefined);
          const folder = paths.run(NAME, id);
          mkdirSync(folder);
          folders.push(folder);
        }
        return folders;
      }),
    /** A cache of gates. */
    cache: (): string => {
      const folder = join(paths.checks(NAME), "checkouts");
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  };
}
