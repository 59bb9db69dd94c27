// Which agent works on what: the project's own, the one for a label or a role, or the one that an
// issue asks for; and which others may continue where it cannot. Pure rules over the configuration;
// which accounts are limited is the project's knowledge (project/accounts.ts).
import type { AgentConfig, ProjectConfig } from "./config.ts";
import type { Role } from "./task.ts";
import { mayInstruct } from "./trust.ts";

/** For runs of this role, or of issues with this label; both where both are there. */
export type AgentRule = { label?: string; role?: Role; agent: AgentConfig };

export type AgentChoices = {
  /** Every agent that the file names, by the name of its account or runtime. */
  named: Record<string, AgentConfig>;
  /** The first that fits counts. */
  rules: AgentRule[];
  /** Names of those that continue where the chosen one cannot, in this order. */
  fallback: string[];
  /** A limit that is over sooner is waited for. */
  waitMs: number;
};

/** What the front matter of an issue asks for, and who wrote it. */
export type Wish = {
  agent?: string;
  model?: string;
  author: string;
  /** Filed by an account of Pawl's own. */
  own?: true;
};

/** `first`: what was chosen; `ignored`: what the issue asks for and does not get. */
export type Choice = { first: AgentConfig; why: string; ignored?: string };

/** What a limit belongs to: agents of one account share it. Also how people call an agent. */
export const accountOf = ({ account, runtime }: Pick<AgentConfig, "account" | "runtime">): string =>
  account ?? runtime;

type About = { role: Role; labels: readonly string[]; wish?: Wish | undefined };

export function chooseAgent(config: ProjectConfig, about: About): Choice {
  const usual = byRule(config, about);
  const { wish } = about;
  if (wish === undefined) return usual;
  const ignored = refusal(config, wish);
  if (ignored !== undefined) return { ...usual, ignored };
  const named = wish.agent === undefined ? usual.first : namedAgent(config, wish.agent);
  if (named === undefined) return usual;
  const first = wish.model === undefined ? named : { ...named, model: wish.model };
  return { first, why: "the issue asks for it" };
}

function byRule({ agent, agents }: ProjectConfig, { role, labels }: About): Choice {
  const rule = agents?.rules.find(
    (one) =>
      (one.role === undefined || one.role === role) &&
      (one.label === undefined || labels.includes(one.label)),
  );
  if (rule === undefined) return { first: agent, why: "[agent] in pawl.toml" };
  const parts = [
    ...(rule.label === undefined ? [] : [`label ${rule.label}`]),
    ...(rule.role === undefined ? [] : [`role ${rule.role}`]),
  ];
  return { first: rule.agent, why: `[[agent.for]] ${parts.join(" and ")}` };
}

/** Why the wish of an issue does not count. */
function refusal(config: ProjectConfig, wish: Wish): string | undefined {
  const asked = [
    ...(wish.agent === undefined ? [] : [`agent: ${wish.agent}`]),
    ...(wish.model === undefined ? [] : [`model: ${wish.model}`]),
  ].join(", ");
  if (wish.own !== true && !mayInstruct(config, wish.author)) {
    return `its front matter asks for ${asked}, but ${wish.author} may not instruct agents here ([trust] authors)`;
  }
  if (wish.agent === undefined || namedAgent(config, wish.agent) !== undefined) return undefined;
  const known = Object.keys(config.agents?.named ?? {});
  const names = known.length === 0 ? accountOf(config.agent) : known.join(", ");
  return `its front matter asks for ${asked}, which pawl.toml does not name; it names ${names}`;
}

function namedAgent({ agent, agents }: ProjectConfig, name: string): AgentConfig | undefined {
  const { named = {} } = agents ?? {};
  if (Object.hasOwn(named, name)) return named[name];
  return accountOf(agent) === name ? agent : undefined;
}

/** The chosen one, then those that may continue where it cannot. */
export function optionsOf(config: ProjectConfig, first: AgentConfig): AgentConfig[] {
  const { named = {}, fallback = [] } = config.agents ?? {};
  const others = fallback.flatMap((name) => named[name] ?? []);
  return [first, ...others.filter((other) => accountOf(other) !== accountOf(first))];
}

/** Every account that runs of this project may use. */
export function accountsOf({ agent, agents }: ProjectConfig): Set<string> {
  const all = [agent, ...Object.values(agents?.named ?? {})];
  return new Set([...all, ...(agents?.rules ?? []).map((rule) => rule.agent)].map(accountOf));
}
