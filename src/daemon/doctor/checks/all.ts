// All checks, in the order in which problems are fixed: sessions before the folders they work in.
import type { Check } from "../check.ts";
import { agentsCheck } from "./agents.ts";
import { backlogCheck } from "./backlog.ts";
import { backupsCheck } from "./backups.ts";
import { candidatesCheck } from "./candidates.ts";
import { configurationCheck } from "./configuration.ts";
import { copiesCheck } from "./copies.ts";
import { daemonCheck } from "./daemon.ts";
import { groundCheck } from "./ground.ts";
import { homeCheck } from "./home.ts";
import { hubCheck } from "./hub.ts";
import { journalCheck } from "./journal.ts";
import { labelsCheck } from "./labels.ts";
import { leftoversCheck } from "./leftovers.ts";
import { logsCheck } from "./logs.ts";
import { machineCheck } from "./machine.ts";
import { orphanProcessesCheck, orphanSessionsCheck } from "./orphans.ts";
import { permissionsCheck } from "./permissions.ts";
import { phaseLinksCheck } from "./phase-links.ts";
import { pushCheck } from "./push.ts";
import { queueCheck } from "./queue.ts";
import { channelsCheck, forgeCheck } from "./reach.ts";
import { sessionsCheck } from "./sessions.ts";
import { signalsCheck } from "./signals.ts";
import { toolsCheck } from "./tools.ts";
import { wallsCheck } from "./walls.ts";
import { workspacesCheck } from "./workspaces.ts";

export const CHECKS: readonly Check[] = [
  toolsCheck,
  machineCheck,
  journalCheck,
  backupsCheck,
  permissionsCheck,
  daemonCheck,
  configurationCheck,
  agentsCheck,
  wallsCheck,
  groundCheck,
  forgeCheck,
  pushCheck,
  backlogCheck,
  channelsCheck,
  hubCheck,
  orphanSessionsCheck,
  orphanProcessesCheck,
  sessionsCheck,
  signalsCheck,
  workspacesCheck,
  candidatesCheck,
  queueCheck,
  labelsCheck,
  phaseLinksCheck,
  copiesCheck,
  leftoversCheck,
  logsCheck,
  homeCheck,
];
