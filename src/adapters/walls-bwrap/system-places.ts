// What of the machine every program needs: the system's own folders, read-only, without the files in
// them that are secrets. Links of the root folder (bin -> usr/bin) stay links.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { ifThere } from "../../lib/if-there.ts";
import { lstat } from "node:fs/promises";

export const SYSTEM_FOLDERS = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix",
  "/gnu",
  "/snap",
];

/** Readable by root alone, and so by agents of root. */
const SECRET_FILES = ["shadow", "shadow-", "gshadow", "gshadow-", "sudoers", "krb5.keytab"];
const SECRET_FOLDERS = ["ssh", "ssl/private", "sudoers.d", "wireguard", "NetworkManager"];

export async function systemArguments(): Promise<string[]> {
  const folders = SYSTEM_FOLDERS.flatMap((folder) => {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (found.isSymbolicLink()) return ["--symlink", readlinkSync(folder), folder];
    return ["--ro-bind", folder, folder];
  });
  const files = await existing(SECRET_FILES);
  const secretFolders = await existing(SECRET_FOLDERS);
  return [
    ...folders,
    ...files.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...secretFolders.flatMap((path) => ["--tmpfs", path, "--remount-ro", path]),
    ...nameServers(),
  ];
}

async function existing(names: string[]): Promise<string[]> {
  const paths = names.map((name) => `/etc/${name}`);
  const found = await Promise.all(paths.map((path) => ifThere(lstat(path))));
  return paths.filter((_, index) => found[index] !== undefined);
}

/** It may be a link into /run, of which nothing else is shown. */
function nameServers(): string[] {
  try {
    const real = realpathSync("/etc/resolv.conf");
    return real.startsWith("/etc/") ? [] : ["--ro-bind", real, real];
  } catch {
    return [];
  }
}

export const isOfSystem = (path: string): boolean =>
  SYSTEM_FOLDERS.some((folder) => path === folder || path.startsWith(`${folder}/`));
