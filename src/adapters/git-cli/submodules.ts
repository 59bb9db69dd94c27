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

/** `leftOut` says why some, or all, are not among them. */
export async function submodulesOf(
  context: GitContext,
  holder: Holder,
): Promise<{ submodules: Submodule[]; leftOut?: string }> {
  const own = await pinsOf(context, holder);
  if (own === UNREADABLE) return { submodules: [], leftOut: "its .gitmodules cannot be read" };
  if (own.length === 0) return { submodules: [] };
  const submodules = await judged(context, holder, own.slice(0, COUNT_MAX));
  if (own.length <= COUNT_MAX) return { submodules };
  const leftOut = `it has ${own.length} submodules, and Pawl checks out at most ${COUNT_MAX}`;
  return { submodules, leftOut };
}

/** With what the target, as far as it can be read, says of each. */
async function judged(context: GitContext, holder: Holder, own: Pin[]): Promise<Submodule[]> {
  const target = holder.dir === context.hub ? await resolve(context, context.targetRef) : undefined;
  const there = target === undefined ? [] : await pinsOf(context, { ...holder, commit: target });
  const known = there === UNREADABLE ? [] : there;
  const urls = new Set(known.map(({ url }) => url));
  return own.map((pin) => {
    const isOnTarget = known.some(({ path, commit }) => path === pin.path && commit === pin.commit);
    const isTrusted = holder.isTrusted || (pin.url !== undefined && urls.has(pin.url));
    // A relative URL has what stands before the host in that of the project.
    const url = isTrusted || pin.url === undefined ? pin.url : withoutCredentials(pin.url);
    return { ...pin, url, isTrusted, isOnTarget: holder.isTrusted || isOnTarget };
  });
}

type Pin = Omit<Submodule, "isTrusted" | "isOnTarget">;

/** There are submodules, and a .gitmodules that git does not understand. */
const UNREADABLE = "unreadable";
type Pins = Pin[] | typeof UNREADABLE;

/** A commit never changes, and gates and workspaces ask for the same few. */
const known = perContext(() => new Map<string, Pins>());
const KNOWN_MAX = 100;

async function pinsOf(context: GitContext, holder: Holder): Promise<Pins> {
  const key = `${holder.dir} ${holder.commit} ${holder.base}`;
  const before = known(context).get(key);
  if (before !== undefined) return before;
  const pins = await readPins(context, holder);
  if (known(context).size >= KNOWN_MAX) known(context).clear();
  known(context).set(key, pins);
  return pins;
}

async function readPins(context: GitContext, { dir, commit, base }: Holder): Promise<Pins> {
  const entry = await context.git({ args: ["ls-tree", "-z", commit, "--", ".gitmodules"], dir });
  if (entry.bytes.length === 0) return [];
  // Not `--get-regexp`, which does not tell a file that it cannot read from one that sets nothing.
  const args = ["config", "--blob", `${commit}:.gitmodules`, "-z", "--list"];
  const listed = await context.git({ args, dir, expect: [0, 128] });
  const modules = readModules(listed.bytes.toString("latin1"));
  const tree = await context.git({ args: ["ls-tree", "-r", "-z", commit], dir });
  const links = listedPaths(tree.bytes).flatMap((line) => {
    const match = /^160000 commit (?<id>[0-9a-f]+)\t(?<path>.*)$/s.exec(line)?.groups;
    return match === undefined ? [] : [{ id: match["id"] ?? "", path: match["path"] ?? "" }];
  });
  if (listed.exitCode !== 0) return links.length === 0 ? [] : UNREADABLE;
  return links.flatMap(({ id, path }) => {
    const module = modules.get(path);
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

/** By path, from `key\nvalue\0` of each entry. What is written last counts, as for `git submodule`. */
function readModules(text: string): Map<string | undefined, Module> {
  const modules = new Map<string, Module>();
  for (const entry of text.split("\0")) {
    const match = /^submodule\.(?<name>.+)\.(?<key>path|url)\n(?<value>.*)$/s.exec(entry)?.groups;
    if (match === undefined) continue;
    const { name = "", key = "", value = "" } = match;
    const module = modules.get(name) ?? { name };
    // Of two that name one path, the one counts that does so last.
    if (key === "path") modules.delete(name);
    modules.set(name, { ...module, [key]: value });
  }
  return new Map([...modules.values()].map((module) => [module.path, module]));
}
