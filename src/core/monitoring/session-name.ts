// The names of monitored sessions: readable, sortable, and never a reason to take one
// session for another, because targets are exact and the project is told apart by its hash.
export type NameParts = {
  slug: string;
  /** `yymmdd-HHMMSS`, local time. */
  stamp: string;
  step: string;
  epic: string;
  story: string;
  cycle: string | undefined;
};

const SLUG_MAX = 8;
const NAME = /^[A-Za-z0-9_-]{1,160}$/;

/** Of the last part of the project's root. */
export function projectSlug(basename: string): string {
  const slug = basename.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return slug === "" ? "project" : slug.slice(0, SLUG_MAX);
}

export const storySuffix = (story: string): string => story.replaceAll(".", "-");

export function sessionName({ slug, stamp, step, epic, story, cycle }: NameParts): string {
  const base = `sa-${slug}-${stamp}-e${epic}-s${storySuffix(story)}-${step}`;
  return cycle === undefined ? base : `${base}-r${cycle}`;
}

/** Names are folders and tmux sessions, so nothing else may be one. */
export const isSessionName = (name: string): boolean => NAME.test(name);
