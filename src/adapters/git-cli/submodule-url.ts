// Where a submodule comes from. Its URL was written by the author of a branch, so that nothing but
// an ordinary address of a repository is accepted.

/** How git would reach a URL; `path` is a repository on this machine. */
export type Transport = "http" | "ssh" | "git" | "path";

/** Undefined for what Pawl never fetches from: helpers (`ext::`), options, unknown schemes. */
export function transportOf(url: string): Transport | undefined {
  if (url.startsWith("-") || /[\0\n\r]/.test(url)) return undefined;
  if (/^\w+::/.test(url)) return undefined;
  const scheme = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):\/\/(?<rest>.*)$/.exec(url)?.groups;
  if (scheme !== undefined) {
    // A host that begins with a dash would be an option of ssh.
    if (/^(?:[^/@]*@)?-/.test(scheme["rest"] ?? "")) return undefined;
    return SCHEMES[scheme["scheme"]?.toLowerCase() ?? ""];
  }
  const isPath = url.includes("/") && !/^[^/]*:/.test(url);
  if (isPath) return "path";
  return /^[^/:-][^/:]*:[^-]/.test(url) ? "ssh" : undefined;
}

const SCHEMES: Record<string, Transport> = {
  http: "http",
  https: "http",
  ssh: "ssh",
  "git+ssh": "ssh",
  git: "git",
  file: "path",
};

/** As git resolves it: `./` and `../` against the URL of the repository that has the submodule. */
export function resolveUrl(url: string, base: string): string | undefined {
  if (!/^\.\.?\//.test(url)) return url;
  let [above, rest] = [base.replace(/\/+$/, ""), url];
  for (;;) {
    if (rest.startsWith("./")) rest = rest.slice(2).replace(/^\/+/, "");
    else if (rest.startsWith("../")) {
      const shorter = parentOf(above);
      if (shorter === undefined) return undefined;
      above = shorter;
      rest = rest.slice(3).replace(/^\/+/, "");
    } else break;
  }
  const joined = above.endsWith(":") ? `${above}${rest}` : `${above}/${rest}`;
  return joined.replace(/\/+$/, "");
}

/** Undefined where only the host, or the root, is left. */
function parentOf(base: string): string | undefined {
  const host = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]*/.exec(base)?.[0];
  const slash = base.lastIndexOf("/");
  if (host !== undefined) return slash < host.length ? undefined : base.slice(0, slash);
  if (slash > 0) return base.slice(0, slash);
  const colon = base.indexOf(":");
  return slash === -1 && colon !== -1 && colon < base.length - 1
    ? base.slice(0, colon + 1)
    : undefined;
}
