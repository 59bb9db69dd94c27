// All checkers of a simulation. A new one is one more file and one more line here.
import type { World } from "../world.ts";
import { accounts } from "./accounts.ts";
import { actions } from "./actions.ts";
import { answers } from "./answers.ts";
import { archive } from "./archive.ts";
import { budgets } from "./budgets.ts";
import type { Checker } from "./checker.ts";
import { deadlines } from "./deadlines.ts";
import { endsInTime } from "./ends-in-time.ts";
import { errors } from "./errors.ts";
import { eventTimes } from "./event-times.ts";
import { forgeOnce } from "./forge-once.ts";
import { expectedChecks } from "./expected-checks.ts";
import { formulas } from "./formulas.ts";
import { gatesAsked } from "./gates-asked.ts";
import { grounded } from "./grounded.ts";
import { handOffs } from "./hand-offs.ts";
import { keptWorkspaces } from "./kept-workspaces.ts";
import { labels } from "./labels.ts";
import { landedAs } from "./landed-as.ts";
import { landedOnce } from "./landed-once.ts";
import { mail } from "./mail.ts";
import { messages } from "./messages.ts";
import { describeUnfinished } from "./liveness.ts";
import { oneLife } from "./one-life.ts";
import { orphans } from "./orphans.ts";
import { patrols } from "./patrols.ts";
import { poison } from "./poison.ts";
import { provenTarget } from "./proven-target.ts";
import { pushedWork } from "./pushed-work.ts";
import { questions } from "./questions.ts";
import { reopened } from "./reopened.ts";
import { resolved } from "./resolved.ts";
import { reviewedOnce } from "./reviewed-once.ts";
import { roles } from "./roles.ts";
import { savedInTime } from "./saved-in-time.ts";
import { savedWork } from "./saved-work.ts";
import { schedules } from "./schedules.ts";
import { setUp } from "./set-up.ts";
import { settings } from "./settings.ts";
import { modelRequests } from "./model-requests.ts";
import { spending } from "./spending.ts";
import { strangers } from "./strangers.ts";
import { takenOnce } from "./taken-once.ts";
import { tasks } from "./tasks.ts";
import { triage } from "./triage.ts";
import { unended } from "./unended.ts";
import { vault } from "./vault.ts";
import { verdicts } from "./verdicts.ts";
import { workspaces } from "./workspaces.ts";

export const CHECKERS: readonly ((world: World) => Checker)[] = [
  provenTarget,
  expectedChecks,
  grounded,
  setUp,
  landedOnce,
  landedAs,
  resolved,
  reopened,
  oneLife,
  orphans,
  messages,
  mail,
  workspaces,
  keptWorkspaces,
  takenOnce,
  tasks,
  actions,
  reviewedOnce,
  labels,
  strangers,
  formulas,
  vault,
  verdicts,
  savedWork,
  pushedWork,
  savedInTime,
  handOffs,
  unended,
  poison,
  endsInTime,
  forgeOnce,
  answers,
  questions,
  budgets,
  spending,
  modelRequests,
  deadlines,
  gatesAsked,
  errors,
  eventTimes,
  schedules,
  settings,
  patrols,
  triage,
  roles,
  archive,
  accounts,
];

export function createCheckers(world: World): {
  atEnd(): Promise<void>;
  unfinished(): Promise<void>;
} {
  const checkers = CHECKERS.map((create) => create(world));
  world.listeners.push((fact) => {
    for (const checker of checkers) checker.hear(fact);
  });
  return {
    atEnd: async () => {
      for (const checker of checkers) await checker.atEnd?.();
    },
    unfinished: async () => world.fail("liveness", await describeUnfinished(world)),
  };
}
