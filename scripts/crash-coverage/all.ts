// All scenarios. The first one is traced; each of the others names the points that it is for.
import type { Scenario } from "./scenario.ts";
import { formula } from "./scenarios/formulas.ts";
import { onForge } from "./scenarios/forges.ts";
import { byPush, oneIssue, personsBranch, resolved } from "./scenarios/landing.ts";
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
  review,
  reviewRole,
  typed,
  copied,
  lostMachine,
  rounds,
];
