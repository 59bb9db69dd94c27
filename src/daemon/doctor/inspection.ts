// The factory as the checks see it: what several of them ask is looked at once per examination.
import type { Project } from "../../core/project/project.ts";
import type { Run } from "../../core/run/run.ts";
import type { AggregateState } from "../../core/step.ts";
import type { Store, StoreReader } from "../../ports/store.ts";
import type { Engine } from "../engine/engine.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import { pastRuns } from "../host/past-runs.ts";
import { asCommitted } from "./as-committed.ts";
import { findLives, type FoundLife } from "../views/orphans.ts";

export type InspectionFacts = {
  store: StoreReader;
  ports: Ports;
  paths: Paths;
  /** Of the command that asks. */
  version: string;
  daemon: { pid: number; since: string; version: string; build?: string } | null;
  /** Undefined where the journal is open for reading only: then nothing can be fixed. */
  writing: { engine: Engine; backup: Store["backup"] } | undefined;
};

export type Inspection = InspectionFacts & {
  now: number;
  states: () => Promise<AggregateState[]>;
  projects: () => Promise<Project[]>;
  /** The same with the pawl.toml that is committed now, which the next agent starts with. */
  committed: () => Promise<Project[]>;
  /** Those that are not over. */
  runs: () => Promise<Run[]>;
  /** Those that are over and still have a folder on disk. */
  pastRuns: () => Promise<Run[]>;
  lives: () => Promise<FoundLife[]>;
};

export function createInspection(facts: InspectionFacts): Inspection {
  // No check looks at a backlog, and tens of thousands of issues take seconds to read.
  const states = once(async () => {
    const stored = await facts.store.aggregates({ isBrief: true });
    return stored.map(({ state }) => state);
  });
  const only = async <K extends AggregateState["kind"]>(kind: K) =>
    (await states()).filter(
      (state): state is Extract<AggregateState, { kind: K }> => state.kind === kind,
    );
  return {
    ...facts,
    now: facts.ports.clock.now(),
    states,
    projects: () => only("project"),
    committed: once(async () => {
      const projects = await only("project");
      return Promise.all(projects.map((project) => asCommitted(project, facts.paths.hub)));
    }),
    runs: () => only("run"),
    pastRuns: once(() => pastRuns(facts)),
    lives: once(() => findLives(facts)),
  };
}

function once<T>(look: () => Promise<T>): () => Promise<T> {
  let looked: Promise<T> | undefined;
  return () => (looked ??= look());
}
