// What the URL of a git remote says about the forge behind it: where it is, and whose repository.

export type RemoteForge = {
  /** Where the forge's pages and API are. */
  url: string;
  host: string;
  /** `owner/name`. */
  repo: string;
};

/** Undefined for paths on this machine and URLs that name no repository of an owner. */
export function parseRemoteUrl(remote: string): RemoteForge | undefined {
  const scp = /^(?:[^@/:]+@)?([^/:@]+):(?!\/\/)(.+)$/.exec(remote);
  if (scp?.[1] !== undefined && scp[2] !== undefined) {
    return forgeAt(`https://${scp[1]}`, scp[2]);
  }
  if (!URL.canParse(remote)) return undefined;
  const url = new URL(remote);
  if (url.protocol === "http:" || url.protocol === "https:")
    return forgeAt(url.origin, url.pathname);
  // The port of ssh is not the port of the pages.
  return url.protocol === "ssh:" ? forgeAt(`https://${url.hostname}`, url.pathname) : undefined;
}

/** A forge may live below a path; the last two names are the repository. */
function forgeAt(origin: string, path: string): RemoteForge | undefined {
  const names = path
    .replace(/\.git\/?$/, "")
    .split("/")
    .filter(Boolean);
  const [owner, name] = names.slice(-2);
  if (owner === undefined || name === undefined) return undefined;
  const below = names.slice(0, -2).join("/");
  const url = below === "" ? origin : `${origin}/${below}`;
  return { url, host: new URL(origin).hostname, repo: `${owner}/${name}` };
}
