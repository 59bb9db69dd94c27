// Gathers what the preflight of a standing role looks at. It decides nothing: core/roles does.
import { createHash } from "node:crypto";
import { queueAggregate } from "../../core/ids.ts";
import type { Issue } from "../../core/issue.ts";
import { dependencies } from "../../core/project/backlog.ts";
import type { RoleFacts, RoleIssue } from "../../core/roles/facts.ts";
import { isActive, type Run } from "../../core/run/run.ts";
import { backlogFacts } from "../backlog-facts.ts";
import type { BuiltinContext } from "../builtins/builtin.ts";
import { runsOf } from "../patrol/look-around.ts";

const DAY_MS = 86_400_000;
const BOX = /^\s*[-*] \[[ x]\]/gim;

export async function collectFacts(
  context: BuiltinContext,
): Promise<{ facts: RoleFacts; open: Issue[] }> {
  const { own, project, store, ports, paths } = context;
  const at = context.now();
  const open = await own.forge.issues({ state: "open" });
  const prs = await own.forge.prs({ state: "open" });
  const runs = await runsOf(store, project);
  const facts: RoleFacts = {
    at,
    issues: await issueFacts(context, open),
    prs: prs.map(({ number, title, updatedAt }) => ({ number, title, updatedAt })),
    runs: {
      active: runs.filter((run) => isActive(run) && run.stage.kind !== "escalated").length,
      landed: endedAs(runs, "landed", at).length,
      blocked: endedAs(runs, "blocked", at).length,
    },
    queue: await queueFacts(context),
    machine: {
      freeMb: (await ports.machine.memory()).freeMb,
      diskUsedPercent: await ports.machine.diskUsedPercent(paths.home),
      loadPerCore: ports.machine.loadPerCore(),
    },
    vision: await visionOf(context),
  };
  return { facts, open };
}

async function issueFacts({ own }: BuiltinContext, open: Issue[]): Promise<RoleIssue[]> {
  const known = new Map(open.map((issue) => [issue.number, issue]));
  return (await backlogFacts(own.forge, open)).map((facts) => {
    const body = known.get(facts.number)?.body ?? "";
    return {
      ...facts,
      bodyLength: body.length,
      boxes: body.match(BOX)?.length ?? 0,
      dependsOn: dependencies(body, facts.number),
      updatedAt: known.get(facts.number)?.updatedAt ?? facts.createdAt,
    };
  });
}

const endedAs = (runs: Run[], kind: "landed" | "blocked", at: number): Run[] =>
  runs.filter(({ outcome, endedAt }) => outcome?.kind === kind && at - (endedAt ?? at) < DAY_MS);

async function queueFacts({ store, project }: BuiltinContext): Promise<RoleFacts["queue"]> {
  const stored = (await store.load(queueAggregate(project)))?.state;
  if (stored?.kind !== "queue") return { waiting: 0, stopped: undefined };
  return { waiting: stored.entries.length, stopped: stored.stop?.why };
}

/** A short name for what VISION.md says, so that a change of it is seen. */
async function visionOf({ own }: BuiltinContext): Promise<string | undefined> {
  const target = await own.git.fetchTarget();
  const text = await own.git.readFile(target, "VISION.md");
  return text === undefined
    ? undefined
    : createHash("sha256").update(text).digest("hex").slice(0, 12);
}
