// The standing roles of the simulated world: the formulas that come with Pawl, when they come, and
// what their agents answer. Some answers break the rules, many are about issues that have changed.
import { allFormulas } from "../src/daemon/formulas/library.ts";
import type { Formula } from "../src/core/formula/formula.ts";
import { resolveFormula } from "../src/core/formula/resolve.ts";
import type { Schedule } from "../src/core/schedule/schedule.ts";
import type { ProjectPorts } from "../src/daemon/engine/ports.ts";
import type { Prng } from "../src/lib/prng.ts";
import type { Process, World } from "./world.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** More often than in earnest, so that a day has many rounds. */
const EVERY_MS = {
  gardener: 4 * HOUR_MS,
  supervisor: 20 * MINUTE_MS,
  predictor: 5 * HOUR_MS,
  planner: 6 * HOUR_MS,
} as const;

/** After so long every role has had its turn. */
export const LONGEST_ROLE_MS = Math.max(...Object.values(EVERY_MS));

type RoleName = keyof typeof EVERY_MS;

const nothing = { git: { targetFiles: async () => [] } } as unknown as ProjectPorts;
const FORMULAS: ReadonlyMap<string, Formula> = new Map(
  (await allFormulas({ root: "/nowhere", own: nothing })).flatMap(({ name, parsed }) => {
    const resolved = parsed.kind === "valid" ? resolveFormula(parsed.formula, {}) : undefined;
    return resolved?.kind === "resolved" ? [[name, resolved.formula] as const] : [];
  }),
);

export const roleFormula = (name: string): Formula | undefined => FORMULAS.get(name);

export const roleSchedules = (): Schedule[] =>
  (Object.keys(EVERY_MS) as RoleName[]).map((role) => ({
    name: role,
    when: { kind: "every", everyMs: EVERY_MS[role] },
    work: { kind: "role", role },
    enabled: true,
    jitterMs: 10 * MINUTE_MS,
    leaseMs: 12 * HOUR_MS,
    memoryMb: 900,
  }));

const FILED_EVERY_MS = 3 * HOUR_MS;
const WORDS = "amber birch cedar delta ember fjord grove heron islet jetty knoll larch".split(" ");

/** People leave small things and predictions behind, for roles to look at. */
export function startRolePeople(world: World): void {
  if (world.options.roles !== true) return;
  const { clock, prng, faults } = world;
  clock.after(1 + prng.roles.int(2 * FILED_EVERY_MS), () => {
    for (const { forge } of faults.on ? world.projects.values() : []) {
      const title = `${prng.roles.pick(WORDS)} ${prng.roles.pick(WORDS)} ${world.stamp()}`;
      const label = prng.roles.pick(["tech-debt", "prediction/unreviewed"]);
      forge.createIssue({ title, body: "", labels: [label], key: title, author: "ann" });
    }
    startRolePeople(world);
  });
}

/** `gardener-run-gardener-grooming` → gardener. */
export const roleOf = ({ identity }: Process): RoleName | undefined =>
  /^(gardener|supervisor|planner|predictor)-run-/.exec(identity)?.[1] as RoleName | undefined;

/** Steps whose result is a branch. */
export const commitsFor = ({ identity }: Process): boolean =>
  /-run-\w+-(?:journal|agents-update|journal-and-memory)$/.test(identity);

/** Begins everything that roles say on the forge; what follows it is said once. */
export const SAID = /^(?:ROLE |Watched: |Dismissed: |Actioned: |Bundled with )/;

const ISSUES_SEEN = 12;
const WILD_MAX = 12;

/** Once nothing goes wrong any more nothing needs to change, so that everything comes to an end. */
export function roleAnswer(world: World, role: RoleName): string {
  if (!world.faults.on) return "{}";
  const { roles } = world.prng;
  const greedy = roles.chance(0.2);
  const count = greedy ? 1 + roles.int(WILD_MAX) : roles.int(6);
  const changes = Array.from({ length: count }, () =>
    greedy ? wish(role, roles, world.stamp()) : changeBy(role, roles, world.stamp()),
  );
  const group = roles.pick(["docs", "tests"]);
  const dust = Array.from({ length: roles.int(4) }, () => ({
    issue: 1 + roles.int(ISSUES_SEEN),
    group,
    title: `piece ${world.stamp()}`,
    reason: "small",
  }));
  const questions = roles.chance(0.1) ? ["Which colour?"] : [];
  return JSON.stringify({ changes, ...(role === "gardener" ? { dust } : {}), questions });
}

const wish = (role: RoleName, prng: Prng, stamp: string) => ({
  kind: "create-issue",
  title: `Wish ${stamp} of ${role} ${stamp}x`,
  body: `ROLE ${stamp}\nSignal source: x\nConfidence: high\nSuggested action: y`,
  labels: [prng.pick(["backlog", "vision"])],
});

function changeBy(role: RoleName, prng: Prng, stamp: string): Record<string, unknown> {
  const issue = 1 + prng.int(ISSUES_SEEN);
  const body = `ROLE ${stamp}`;
  const create = wish(role, prng, stamp);
  const comment = { kind: "comment", issue, body };
  const label = { kind: prng.pick(["add-label", "remove-label"]), issue, label: "vision" };
  const close = { kind: "close", issue, reason: body };
  const triage = {
    kind: "triage",
    issue,
    outcome: prng.pick(["backlog", "watch", "dismiss"]),
    reason: stamp,
    title: create.title,
    body,
  };
  const own: Record<RoleName, Record<string, unknown>[]> = {
    gardener: [create, comment, label, close],
    supervisor: [comment, label],
    planner: [create, triage, triage, comment],
    predictor: [create],
  };
  return prng.chance(0.02) ? { kind: "merge", issue } : prng.pick(own[role]);
}
