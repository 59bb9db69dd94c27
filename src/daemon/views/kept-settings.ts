// What a run that resumes does not do as pawl.toml says now: it keeps the settings that it began
// with, so that a person who has corrected them needs a new run.
import type { AgentConfig, ProjectConfig } from "../../core/config.ts";
import { issueOf, isActive, type Run } from "../../core/run/run.ts";
import { canonicalJson } from "../../lib/canonical-json.ts";

/** Those that a run reads from its own copy, by their names in pawl.toml. */
const SECTIONS = ["ci", "review", "isolation", "limits", "budget", "gateway"] as const;

/** The sections of pawl.toml that changed since the run began, such as `agent`. */
export function keptSettings(run: Run, config: ProjectConfig | undefined): string[] {
  if (config === undefined || issueOf(run) === undefined || !isActive(run)) return [];
  const changed = SECTIONS.filter((name) => !isSame(run.config[name], config[name]));
  return isAmong(run.config.agent, config) ? changed : ["agent", ...changed];
}

/** Which one of several it has, and which model its issue asked for, is no change of the file. */
function isAmong(agent: AgentConfig, { agent: first, agents }: ProjectConfig): boolean {
  const known = [first, ...Object.values(agents?.named ?? {})];
  return known.some((one) => isSame(withoutModel(one), withoutModel(agent)));
}

const withoutModel = (agent: AgentConfig): AgentConfig => ({ ...agent, model: "" });

/** The journal keeps no fields that are undefined. */
const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);

/** In the words of `pawl why`, with the way to a new run. */
export function keptLines(run: Run, config: ProjectConfig | undefined): string[] {
  const kept = keptSettings(run, config);
  const issue = issueOf(run);
  if (kept.length === 0 || issue === undefined) return [];
  const names = kept.map((name) => `[${name}]`).join(", ");
  return [
    `it keeps the settings that it began with: ${names} in pawl.toml changed since then`,
    `for a new run with the new settings: pawl issue edit ${issue} --add-label blocked, then pawl retry ${issue}`,
  ];
}
