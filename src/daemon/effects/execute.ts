// Turns an effect of the journal into a call on the outside world. The only place where effects
// are carried out. Failures leave here as they are thrown: OperationErrors, errors of the system (a full
// disk) and bugs; outbox.ts tries again or makes events of them.
import type { Effect, EffectKind } from "../../core/effect.ts";
import type { Event } from "../../core/event.ts";
import { FACTORY, projectOf, type ProjectName } from "../../core/ids.ts";
import { UNKNOWN_EFFECT } from "../../core/unknown-state.ts";
import type { Serial } from "../../adapters/shared/serial.ts";
import { assert } from "../../lib/assert.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Store } from "../../ports/store.ts";
import type {
  EffectContext,
  Executor,
  Executors,
  FindFormula,
  Keeper,
  ListFormulas,
} from "./executor.ts";
import { actionEffects } from "./action-effects.ts";
import { forgeEffects } from "./forge-effects.ts";
import { formulaEffects } from "./formula-effects.ts";
import { pluginEffects } from "./plugin-effects.ts";
import { patrolEffects } from "./patrol-effects.ts";
import { gateEffects } from "./gate-effects.ts";
import { queueEffects } from "./queue-effects.ts";
import { reviewEffects } from "./review-effects.ts";
import { scheduleEffects } from "./schedule-effects.ts";
import { sessionEffects } from "./session-effects.ts";
import { vaultEffects } from "./vault-effects.ts";
import { workspaceEffects } from "./workspace-effects.ts";
import type { ReadConfig } from "../observing/observe-project.ts";
import type { Loop } from "../engine/loop.ts";
import type { Execute } from "../engine/outbox.ts";
import type { Paths } from "../host/paths.ts";
import type { Ports } from "../engine/ports.ts";
import type { Doctor } from "../patrol/doctor.ts";
import type { Publish } from "../publishing/publish.ts";
import type { Watch } from "../sessions/watch.ts";

const EXECUTORS: Executors<EffectKind> = {
  ...forgeEffects,
  ...workspaceEffects,
  ...sessionEffects,
  ...queueEffects,
  ...formulaEffects,
  ...patrolEffects,
  ...pluginEffects,
  ...reviewEffects,
  ...gateEffects,
  ...scheduleEffects,
  ...vaultEffects,
  ...actionEffects,
};

export function createExecute(deps: {
  store: Store;
  ports: Ports;
  paths: Paths;
  loop: Loop;
  publish: Publish;
  readConfig: ReadConfig;
  watch: Watch;
  restart: (project: ProjectName, component: string) => Promise<void>;
  findFormula?: FindFormula;
  listFormulas?: ListFormulas;
  doctor?: () => Promise<Doctor>;
  keeper?: Keeper | undefined;
  /** One at a time in each workspace, by its path. */
  turns: Serial;
}): Execute {
  const { store, ports, paths, loop, publish, readConfig, watch, turns } = deps;
  return async (row, signal) => {
    const project = projectOf(row.aggregate);
    // The factory itself has no repository, forge or CI.
    const own = project === FACTORY ? undefined : await ports.project(project);
    const context: EffectContext = {
      key: row.key,
      aggregate: row.aggregate,
      project,
      ports,
      get own() {
        assert(own !== undefined, `${row.effect.kind} needs a project`);
        return own;
      },
      paths,
      store,
      signal,
      readConfig,
      now: () => ports.clock.now(),
      inWorkspace: (identity, work) =>
        turns(paths.workspace(project, identity), () => {
          signal.throwIfAborted();
          return work();
        }),
      report: async (event) => {
        await loop.submit({ to: row.aggregate, event });
      },
      submit: (input) => loop.submit(input),
      published: () => publish.flush(row.aggregate),
      look: (epoch) => watch.look(row.aggregate, epoch),
      hearLast: (run, epoch) => watch.hearLast(run, epoch),
      restart: (component) => deps.restart(project, component),
      keeper: deps.keeper,
      findFormula: deps.findFormula ?? findInLibrary,
      listFormulas: deps.listFormulas ?? listLibrary,
      fix: async () =>
        (await (await deps.doctor?.())?.fix()) ?? { fixed: 0, note: "no doctor is available" },
    };
    return carryOut(row.effect, context);
  };
}

/** Loaded when one is wanted: reading TOML is not what daemons do most. */
const findInLibrary: FindFormula = async (place, name) =>
  (await import("../formulas/library.ts")).formulaNamed(place, name);

const listLibrary: ListFormulas = async (place) =>
  (await (await import("../formulas/library.ts")).allFormulas(place)).flatMap(({ parsed }) =>
    parsed.kind === "valid" ? [parsed.formula] : [],
  );

function carryOut<K extends EffectKind>(
  effect: Extract<Effect, { kind: K }>,
  context: EffectContext,
): Promise<Event | undefined> {
  const executor = EXECUTORS[effect.kind] as Executor<K> | undefined;
  if (executor === undefined) throw unknownEffect(effect.kind);
  return executor(effect, context);
}

const unknownEffect = (kind: string): OperationError =>
  new OperationError(`cannot carry out "${kind}": this version of Pawl does not know it`, {
    code: UNKNOWN_EFFECT,
    hint: "another version of Pawl requested it; go back to that version, or continue without it",
  });
