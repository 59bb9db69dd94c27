// One look at what a gate waits for: the tracker, a run's checks, or a command of the project.
import { join } from "node:path";
import type { GateSpec } from "../../core/gate/spec.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import type { StoreReader } from "../../ports/store.ts";
import { briefProject } from "../engine/brief-project.ts";
import { frameOf } from "../host/walls.ts";
import { toolEnvironment } from "../host/environment.ts";
import type { Paths } from "../host/paths.ts";
import { runNamed } from "../views/find-runs.ts";
import type { Ports, ProjectPorts } from "../engine/ports.ts";

export type GateSight = { met: boolean; over: boolean; text: string };

export type GatePlace = {
  project: ProjectName;
  gate: string;
  /** Unlike that of any other look at this gate. */
  look: string;
  ports: Ports;
  own: ProjectPorts;
  paths: Paths;
  store: StoreReader;
  signal: AbortSignal;
};

export async function observeGate(spec: GateSpec, place: GatePlace): Promise<GateSight> {
  switch (spec.kind) {
    case "issue":
      return issueSight(spec.issue, place);
    case "pr":
      return prSight(spec.pr, place);
    case "ci":
      return ciSight(spec.of, place);
    case "command":
      return commandSight(spec, place);
    case "timer":
    case "human":
    case "mail":
    case "vault":
      return waits("nothing to check: its answer comes to Pawl");
  }
}

const waits = (text: string): GateSight => ({ met: false, over: false, text });
const met = (text: string): GateSight => ({ met: true, over: false, text });
const over = (text: string): GateSight => ({ met: false, over: true, text });

async function issueSight(named: string, { own }: GatePlace): Promise<GateSight> {
  const number = numberIn(named);
  const issue = number === undefined ? undefined : await own.forge.issue(number);
  if (issue === undefined) return waits(`there is no issue ${named}`);
  return issue.state === "closed" ? met(`issue #${number} is closed`) : waits("it is open");
}

async function prSight(named: string, { own }: GatePlace): Promise<GateSight> {
  const number = numberIn(named);
  const pr = number === undefined ? undefined : await own.forge.pr(number);
  if (pr === undefined) return waits(`there is no PR ${named}`);
  if (pr.state === "merged") return met(`PR #${number} is merged`);
  return pr.state === "closed"
    ? over(`PR #${number} was closed without being merged`)
    : waits("it is open");
}

function numberIn(text: string): number | undefined {
  const number = Number(text.replace(/^#/, ""));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/** By branch, PR, issue, run or identity; of several attempts the newest. */
async function ciSight(of: string, { store, project }: GatePlace): Promise<GateSight> {
  const run = await runNamed(store, project, of);
  if (run === undefined) return waits(`no run works on ${of}`);
  const { check, branch } = run;
  if (check === undefined) return waits("nothing was checked yet");
  const { outcome } = check;
  if (outcome.kind !== "passed") return waits(`its checks ${outcome.kind}`);
  const head = headOf(run);
  if (head === check.head) return met(`the checks of ${branch} passed`);
  const [checked, now] = [check.head, head ?? ""].map((commit) => commit.slice(0, 10));
  return waits(`the checks passed at ${checked}, and ${branch} is at ${now}`);
}

/** The newest that is known: one that is published or checked is newer than what was checked. */
function headOf({ stage, head }: Run): Run["head"] {
  return stage.kind === "publishing" || stage.kind === "checking" ? stage.head : head;
}

/** In a clean checkout of the target, never in the user's. */
async function commandSight(
  spec: Extract<GateSpec, { kind: "command" }>,
  place: GatePlace,
): Promise<GateSight> {
  const { own, ports, paths, project, gate, look, signal } = place;
  const folder = paths.gate(project, gate);
  const cwd = join(folder, "work");
  const commit = await own.git.fetchTarget();
  await own.git.checkout({ commit, path: cwd, keep: [], history: false });
  const known = await briefProject(place.store, project);
  const walls = known && frameOf(known.config, { project, root: known.root, paths });
  const outcome = await ports.commands.run({
    walls,
    folder: join(folder, look),
    argv: ["sh", "-c", spec.command],
    cwd,
    env: { ...toolEnvironment(), PAWL_PROJECT: project, PAWL_GATE: gate },
    inputs: {},
    timeoutMs: spec.timeoutMs,
    signal,
  });
  const said = (outcome.errors === "" ? outcome.output : outcome.errors).trim().slice(-200);
  if (outcome.kind === "exited" && outcome.code === 0) return met(said === "" ? "exit 0" : said);
  const how = outcome.kind === "exited" ? `exit ${outcome.code}` : outcome.kind;
  return waits(said === "" ? how : `${how}: ${said}`);
}
