// All scenarios, the cheapest first: a point is tried in the first one that passes it.
import type { Scenario } from "./scenario.ts";
import { formula } from "./scenarios/formulas.ts";
import { onForge } from "./scenarios/forges.ts";
import {
  byPush,
  oneIssue,
  ownBranch,
  personsBranch,
  resolved,
  withoutGates,
} from "./scenarios/landing.ts";
import { review, tracker } from "./scenarios/people.ts";
import { copied, givesUp, lostMachine, takenBack } from "./scenarios/saved.ts";
import { rounds } from "./scenarios/rounds.ts";
import { reviewRole } from "./scenarios/reviewing.ts";
import { roles } from "./scenarios/roles.ts";
import { ciServer } from "./scenarios/servers.ts";
import { vault } from "./scenarios/vault.ts";
import { typed } from "./scenarios/typed.ts";

export const SCENARIOS: Scenario[] = [
  oneIssue,
  ownBranch,
  byPush,
  onForge,
  ciServer,
  personsBranch,
  resolved,
  givesUp,
  takenBack,
  tracker,
  formula,
  vault,
  roles,
  withoutGates,
  review,
  reviewRole,
  typed,
  copied,
  lostMachine,
  rounds,
];
