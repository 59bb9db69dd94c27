// What the forges that speak over HTTP answer alike, as far as Pawl reads it. Everything else in
// their answers is ignored. Where they differ, an adapter's own schema brings it into these shapes.
import * as z from "zod";

export const user = z.object({ login: z.string() }).nullish();
export const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Of an issue, without its labels. */
export const issueFields = {
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  user,
  assignees: z.array(z.object({ login: z.string() })).nullish(),
  created_at: time,
  updated_at: time,
  html_url: z.string().nullish(),
  /** PRs are issues too; this tells them apart. */
  pull_request: z.looseObject({}).nullish(),
};

export const comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user,
  created_at: time,
});

/** `repo` is null where a fork was deleted. */
const side = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.object({ id: z.number() }).nullish(),
});

/** Of a PR, without whether it is merged. */
export const prFields = {
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  user,
  merge_commit_sha: z.string().nullish(),
  head: side,
  base: side,
  created_at: time,
  updated_at: time,
};

/** Of a review, without when it was given and whether it counts. */
export const reviewFields = {
  id: z.number(),
  user,
  state: z.string(),
  body: z.string().nullish(),
  commit_id: z.string().nullish(),
};

export const account = z.object({ login: z.string() });
export const anything = z.unknown();

type Fields<T extends z.core.$ZodShape> = z.output<z.ZodObject<T>>;

/** A label's `ref` is how a path names it: by id or by name. */
export type RawIssue = Fields<typeof issueFields> & { labels: { name: string; ref: string }[] };
export type RawComment = z.output<typeof comment>;
export type RawPr = Fields<typeof prFields> & { merged: boolean };
export type RawReview = Fields<typeof reviewFields>;
