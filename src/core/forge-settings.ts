// How the repository of a project is set on its forge, as far as Pawl's work depends on it, and what
// is said of it.
import { LABELS } from "./issue.ts";
import type { Project } from "./project/project.ts";

export type ForgeSettings = {
  /** Labels an issue's life needs and that are not there. */
  labelsMissing: string[];
  /**
   * Whether a PR that was landed by a push is shown as merged there. `switchable`: it is not, and
   * Pawl's account may switch it on.
   */
  merges: "shown" | "hidden" | "switchable";
};

const repoOf = ({ config, name }: Project): string =>
  config?.forge === undefined ? name : `${config.forge.owner}/${config.forge.repo}`;

export const noBacklogLabel = (repo: string): string =>
  `the label \`${LABELS.backlog}\` does not exist in ${repo}, so Pawl finds no work there`;

export const mergesHidden = (repo: string): string =>
  `PRs that land in ${repo} are shown as closed, not as merged: manual merge is off there`;

/** Where Pawl's account may not switch it on. */
export const HOW_TO_SHOW_MERGES =
  'the owner switches on "Mark pull request as manually merged" in the settings of the repository, under "Pull Requests"';

/** What its forge lacks, as last seen. */
export function forgeLacks({ config, forgeSettings }: Project): {
  label: boolean;
  merges: ForgeSettings["merges"];
} {
  if (config?.forge === undefined || forgeSettings === undefined) {
    return { label: false, merges: "shown" };
  }
  const label = forgeSettings.labelsMissing.includes(LABELS.backlog);
  return { label, merges: forgeSettings.merges };
}

/** A label that an issue has was made meanwhile. */
export function withSeenLabels(
  project: Project,
  issues: readonly { labels: readonly string[] }[],
): Project {
  const { forgeSettings } = project;
  if (forgeSettings === undefined || forgeSettings.labelsMissing.length === 0) return project;
  const labelsMissing = forgeSettings.labelsMissing.filter(
    (name) => !issues.some(({ labels }) => labels.includes(name)),
  );
  return { ...project, forgeSettings: { ...forgeSettings, labelsMissing } };
}

const ASKING: readonly string[] = [LABELS.backlog, LABELS.blocked, LABELS.inProgress];

export const asksForWork = ({ labels }: { labels: readonly string[] }): boolean =>
  labels.some((label) => ASKING.includes(label));

/** Why no open issue is worked on, where none asks for it. */
export function noWork(
  project: Project,
  { open, isAnyAsked }: { open: number; isAnyAsked: boolean },
): string | null {
  const repo = repoOf(project);
  if (open === 0) return `${repo} has no open issue`;
  if (isAnyAsked) return null;
  return open === 1
    ? `the open issue of ${repo} does not have the label \`${LABELS.backlog}\``
    : `none of the ${open} open issues of ${repo} has the label \`${LABELS.backlog}\``;
}
