// Which upstream a repository has. Git takes a relative remote from the top of the work tree; Pawl's
// gits work elsewhere, so that it is made absolute where it is read.
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Upstream } from "../../core/config.ts";
import type { Project } from "../../core/project/project.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { withoutCredentials } from "../../lib/without-credentials.ts";
import { askGit } from "./ask-git.ts";

/** The remote `origin`, where there is one; else the user's own repository is the truth. */
export async function upstreamOf(root: string): Promise<Upstream> {
  const [url = ""] = (await originOf(root)).url;
  if (url === "") return { kind: "local", path: root };
  if (!isRelativePath(url)) return { kind: "remote", url, path: root };
  // `url.<base>.insteadOf` may make an address of what looks like a path.
  const meant = (await askGit(root, ["ls-remote", "--get-url", "origin"])) ?? url;
  return { kind: "remote", url: absolute(meant, root), path: root };
}

/** Pawl fetches from and pushes to one place: a guard against pushing, or a mirror, must not be passed by. */
export async function refuseSeveralPlaces(root: string): Promise<void> {
  const { url: fetched, pushurl } = await originOf(root);
  const [url = "", ...others] = fetched;
  const elsewhere = [...others, ...pushurl].filter((other) => placeOf(other) !== placeOf(url));
  if (url !== "" && elsewhere.length > 0) throw severalPlaces(root, url, elsewhere);
}

type Origin = { url: string[]; pushurl: string[] };

/** A git for each look would be a third of those of an idle project. */
const remembered = new Map<string, { stamp: string; atMs: number; origin: Origin }>();
/** Git also reads files that the repository's own includes: a change of these is seen this late. */
const REMEMBERED_MS = 30_000;

/** Every repository has the first: no answer means that git failed, as with a broken file of the user's. */
const ASKED = "^(core[.]repositoryformatversion|remote[.]origin[.](push)?url)$";

/** Where git fetches the remote `origin` from, and where it pushes to besides. */
async function originOf(root: string): Promise<Origin> {
  const stamp = await configStamp(root);
  const last = remembered.get(root);
  const nowMs = performance.now();
  if (stamp !== undefined && last?.stamp === stamp && nowMs - last.atMs < REMEMBERED_MS) {
    return last.origin;
  }
  const told = await askGit(root, ["config", "--get-regexp", ASKED]);
  const lines = told?.split("\n") ?? [];
  const valuesOf = (key: string): string[] =>
    lines
      .filter((line) => line.startsWith(`remote.origin.${key} `))
      .map((line) => line.slice(`remote.origin.${key} `.length))
      .filter((value) => value !== "");
  const origin = { url: valuesOf("url"), pushurl: valuesOf("pushurl") };
  // From before the look, so that what changed meanwhile is asked again.
  if (stamp === undefined || told === undefined) remembered.delete(root);
  else remembered.set(root, { stamp, atMs: nowMs, origin });
  return origin;
}

/** Git replaces the file with each change. Undefined where it is elsewhere, as in a linked work tree. */
async function configStamp(root: string): Promise<string | undefined> {
  const at = await ifThere(stat(join(root, ".git", "config"), { bigint: true }));
  return at === undefined ? undefined : `${at.ino} ${at.size} ${at.ctimeNs}`;
}

/** Host and path: https and ssh reach the same repository. What is no address stays as it is. */
export function placeOf(url: string): string {
  const end = /(?:\.git)?\/*$/;
  if (url.startsWith("file://")) return url.slice("file://".length).replace(end, "");
  const parts =
    /^(?:[a-z][a-z+]*:\/\/)?(?:[^@/]*@)?(?<host>[^:/]+)(?::\d+\/|[:/])(?<path>.*)$/i.exec(url);
  const { host, path } = parts?.groups ?? {};
  if (host === undefined || path === undefined) return url.replace(end, "");
  // GitHub's and GitLab's ssh over the port of https.
  const name = host.replace(/^(?:alt)?ssh\./i, "");
  return `${name}/${path.replace(/^\/+/, "").replace(end, "")}`.toLowerCase();
}

const severalPlaces = (root: string, url: string, elsewhere: string[]): OperationError =>
  new OperationError(
    `the remote origin of ${root} is fetched from ${withoutCredentials(url)}, but git pushes to ${elsewhere.map(withoutCredentials).join(", ")}; Pawl needs one place for both`,
    {
      code: "several-upstreams",
      hint: "see `git remote -v`; give origin one address for both, or use a clone that has one: `git remote set-url --delete --push origin URL` removes a push address, without --push another one",
    },
  );

/** Nothing is said of a repository that is not there: its remote may be as before. */
export async function otherUpstream({ root, upstream }: Project): Promise<Upstream | undefined> {
  const there = await upstreamOf(root);
  if (isSameUpstream(upstream, there)) return undefined;
  const isThere = (await askGit(root, ["rev-parse", "--git-dir"])) !== undefined;
  return isThere ? there : undefined;
}

/** A relative remote was kept as it was written by earlier versions: it names the same place. */
export const isSameUpstream = (a: Upstream, b: Upstream): boolean =>
  a.kind === b.kind &&
  (a.kind === "local" || b.kind === "local" || absolute(a.url, a.path) === absolute(b.url, b.path));

const absolute = (url: string, root: string): string =>
  isRelativePath(url) ? resolve(root, url) : url;

/** As git tells them apart: a colon before the first slash is a host, a scheme or a helper. */
export const isRelativePath = (url: string): boolean => /^[^/:]+(?:\/|$)/.test(url);
