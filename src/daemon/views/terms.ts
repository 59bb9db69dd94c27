// What working on a project means for its user, before anything is started: where work goes, whose
// issues are taken, which agent works with which rights, and what it may use.
import { runtimeNamed } from "../../adapters/runtimes.ts";
import type { Allowance } from "../../core/budget.ts";
import type { ProjectConfig, Upstream } from "../../core/config.ts";
import type { Project } from "../../core/project/project.ts";
import { otherAgents } from "./chosen-agent.ts";
import { lacking } from "../../ports/runtime.ts";
import { withoutCredentials } from "../../lib/without-credentials.ts";

export function termsOf({ config, upstream, root }: Project): string[] {
  if (config === undefined) return [];
  const runtime = runtimeNamed(config.agent.runtime);
  return [
    `landings: ${landingsText(upstream, config.target, root)}`,
    `checks: ${checksText(config)}`,
    `issues: ${issuesText(config)}`,
    `agent: ${runtime?.describe(config.agent) ?? config.agent.runtime}`,
    // Pawl's own agent lacks what only a model could do.
    ...(runtime?.program === undefined
      ? []
      : lacking(runtime.abilities).map((one) => `lacks: ${one}`)),
    ...otherAgents(config),
    `walls: ${wallsText(config)}`,
    `budget: ${budgetText(config)}`,
  ];
}

/** What an agent may do is what the walls let it do, whatever program it is. */
function wallsText({ isolation }: ProjectConfig): string {
  if (isolation === undefined || isolation.mode === "none") {
    return "none: agents have all rights of your user ([isolation])";
  }
  const { network, hosts } = isolation;
  const reach =
    network === "hosts" ? `network ${hosts.join(", ") || "no host"}` : `network ${network}`;
  return `${isolation.mode}: a private home, their own workspace, ${reach}`;
}

function landingsText(upstream: Upstream, target: string, root: string): string {
  if (upstream.kind === "local") {
    return `go to your branch ${target} in ${root}; nothing is pushed`;
  }
  const url = withoutCredentials(upstream.url);
  return `are pushed to ${target} on ${url}; branches are pushed there too`;
}

/** What has to pass before anything lands. */
function checksText({ ci: { gates, server, none } }: ProjectConfig): string {
  if (none) return "none: whatever an agent commits lands ([ci])";
  const parts = [
    ...gates.map(({ command }) => command),
    ...(server === undefined
      ? []
      : [`those of ${server.kind === "forge" ? "the forge" : "Woodpecker"}`]),
  ];
  return parts.join("; ");
}

function issuesText({ forge, trust }: ProjectConfig): string {
  const where =
    forge === undefined ? "Pawl's own tracker" : `${forge.owner}/${forge.repo} (${forge.url})`;
  const authors = trust?.authors ?? (forge === undefined ? undefined : [forge.owner]);
  const whose = authors === undefined ? "" : `; instructions count from ${authors.join(", ")}`;
  return `those labelled backlog in ${where}${whose}`;
}

function budgetText({ budget, parallel }: ProjectConfig): string {
  const atOnce = `${parallel} agents at once`;
  if (budget === undefined) return `none: nothing limits what agents use ([budget]); ${atOnce}`;
  const limits = [
    ...limitText("a run", budget.run),
    ...limitText("a day", budget.day),
    ...Object.entries(budget.roles ?? {}).flatMap(([role, limit]) => limitText(role, limit)),
  ];
  return `${limits.join(", ")}; ${atOnce}`;
}

function limitText(what: string, limit: Allowance | undefined): string[] {
  const { tokens, usd } = limit ?? {};
  const parts = [
    ...(usd === undefined ? [] : [`$${usd.toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString("en-US")} tokens`]),
  ];
  return parts.length === 0 ? [] : [`${parts.join(" and ")} for ${what}`];
}
