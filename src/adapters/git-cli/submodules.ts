// Which submodules a commit has and where they come from. A URL that the target names is fetched with
// the access that the hub has. One that only a branch names is an agent's word: it is fetched without
// any credentials, over http or git only.
import type { Commit } from "../../core/ids.ts";
import { commitId } from "../../core/ids.ts";
import { withoutCredentials } from "../../lib/without-credentials.ts";
import type { GitContext } from "./context.ts";
import { perContext } from "./context.ts";
import { resolve } from "./refs.ts";
import { listedPaths, shownPath } from "./scan.ts";
import { resolveUrl, transportOf } from "./submodule-url.ts";

export type Submodule = {
  /** Below the repository that has it, as a byte string. */
  path: string;
  name: string;
  commit: Commit;
  /** Undefined where .gitmodules names none, or none that can be resolved. */
  url: string | undefined;
  /** As .gitmodules has it, for messages. */
  written: string;
  isTrusted: boolean;
  /** The target pins the same commit at the same path: what is inside is trusted as well. */
  isOnTarget: boolean;
};

/** A repository that may have submodules. */
export type Holder = {
  dir: string;
  commit: Commit;
  /** What relative URLs are resolved against. */
  base: string;
  isTrusted: boolean;
};

/** A git of 2.39 needs a second for a tree of a million files. */
const COUNT_MAX = 1_000;

/** The repository of the project itself at a commit. */
export const holderOf = ({ hub, upstream }: GitContext, commit: Commit): Holder => ({
  dir: hub,
  commit,
  base: upstream.kind === "remote" ? upstream.url : upstream.path,
  isTrusted: false,
});

export async function submodulesOf(context: GitContext, holder: Holder): Promise<Submodule[]> {
  const own = await pinsOf(context, holder);
  if (own.length === 0) return [];
  const target = holder.dir === context.hub ? await resolve(context, context.targetRef) : undefined;
  const known = target === undefined ? [] : await pinsOf(context, { ...holder, commit: target });
  const urls = new Set(known.map(({ url }) => url));
  return own.slice(0, COUNT_MAX).map((pin) => {
    const isOnTarget = known.some(({ path, commit }) => path === pin.path && commit === pin.commit);
    const isTrusted = holder.isTrusted || (pin.url !== undefined && urls.has(pin.url));
    // A relative URL has what stands before the host in that of the project.
    const url = isTrusted || pin.url === undefined ? pin.url : withoutCredentials(pin.url);
    return { ...pin, url, isTrusted, isOnTarget: holder.isTrusted || isOnTarget };
  });
}

type Pin = Omit<Submodule, "isTrusted" | "isOnTarget">;

/** A commit never changes, and gates and workspaces ask for the same few. */
const known = perContext(() => new Map<string, Pin[]>());
const KNOWN_MAX = 100;

async function pinsOf(context: GitContext, holder: Holder): Promise<Pin[]> {
  const key = `${holder.dir} ${holder.commit} ${holder.base}`;
  const before = known(context).get(key);
  if (before !== undefined) return before;
  const pins = await readPins(context, holder);
  if (known(context).size >= KNOWN_MAX) known(context).clear();
  known(context).set(key, pins);
  return pins;
}

async function readPins(context: GitContext, { dir, commit, base }: Holder): Promise<Pin[]> {
  const blob = `${commit}:.gitmodules`;
  const args = ["config", "--blob", blob, "-z", "--get-regexp", String.raw`^submodule\.`];
  // 1: it sets nothing. 128: there is none, or it cannot be read.
  const listed = await context.git({ args, dir, expect: [0, 1, 128] });
  if (listed.exitCode !== 0) return [];
  const modules = readModules(listed.bytes.toString("latin1"));
  const tree = await context.git({ args: ["ls-tree", "-r", "-z", commit], dir });
  return listedPaths(tree.bytes).flatMap((line) => {
    const match = /^160000 commit (?<id>[0-9a-f]+)\t(?<path>.*)$/s.exec(line)?.groups;
    if (match === undefined) return [];
    const { id = "", path = "" } = match;
    const module = modules.find((one) => one.path === path);
    if (module === undefined) return [];
    const written = shownPath(module.url ?? "");
    return [{ path, commit: commitId(id), url: usable(written, base), name: module.name, written }];
  });
}

function usable(written: string, base: string): string | undefined {
  const url = resolveUrl(written, base);
  return url === undefined || transportOf(url) === undefined ? undefined : url;
}

type Module = { name: string; path?: string; url?: string };

/** `key\nvalue\0` of each entry; the first that is written counts, as for git. */
function readModules(text: string): Module[] {
  const modules = new Map<string, Module>();
  for (const entry of text.split("\0")) {
    const match = /^submodule\.(?<name>.+)\.(?<key>path|url)\n(?<value>.*)$/s.exec(entry)?.groups;
    if (match === undefined) continue;
    const { name = "", key = "", value = "" } = match;
    const module = modules.get(name) ?? { name };
    modules.set(name, { ...module, [key]: value });
  }
  return [...modules.values()];
}
