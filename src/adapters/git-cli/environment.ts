// The environment every git of ours runs in: built from nothing, so that no token, hook, pager,
// editor or prompt of the user's shell takes part. It must never pass the whole environment on.

export type Environment = Record<string, string | undefined>;

/** Where a command runs decides what of the user's own set-up it may see. */
export type Reach =
  /** The hub and the workspaces: nothing of the user's. */
  | "private"
  /** Upstream over a network, the user's own checkout, signing: their configuration and keys. */
  | "user";

const ALWAYS = ["PATH", "TMPDIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];
const USER = [
  "HOME",
  "USER",
  "LOGNAME",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "SSH_AUTH_SOCK",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GNUPGHOME",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "http_proxy",
  "https_proxy",
  "HTTPS_PROXY",
  "all_proxy",
  "ALL_PROXY",
  "no_proxy",
  "NO_PROXY",
];

/** Settings that win over every configuration file, in the hub, in workspaces and at the user's. */
const SETTINGS: [key: string, value: string][] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  // Half of a split index is in another file, which a copy of the index would miss.
  ["core.splitIndex", "false"],
  ["core.pager", "cat"],
  ["core.quotePath", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["fetch.writeCommitGraph", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["push.gpgSign", "false"],
  ["push.followTags", "false"],
  ["submodule.recurse", "false"],
  ["log.showSignature", "false"],
  ["advice.detachedHead", "false"],
  ["protocol.ext.allow", "never"],
  ["safe.directory", "*"],
  ["core.fsync", "loose-object,pack,pack-metadata,reference"],
];

/**
 * For Pawl's own repositories: the filter of Git LFS, the only one that runs, whatever the machine has
 * configured. It finds its objects in the hub (lfs.ts) and never asks a server, also not one that a
 * branch names in .lfsconfig.
 */
const PRIVATE_SETTINGS: [key: string, value: string][] = [
  ["filter.lfs.clean", "git-lfs clean -- %f"],
  ["filter.lfs.smudge", "git-lfs smudge -- %f"],
  ["filter.lfs.process", "git-lfs filter-process"],
  ["filter.lfs.required", "true"],
  ["lfs.url", "file:///nonexistent"],
];

export function gitEnvironment(outer: Environment, reach: Reach): Environment {
  const names = reach === "user" ? [...ALWAYS, ...USER] : ALWAYS;
  const passed = Object.fromEntries(names.map((name) => [name, outer[name]]));
  // Without HOME git would only warn; an empty folder says clearly that there is nothing to read.
  const home = reach === "user" ? {} : { HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent" };
  return {
    ...passed,
    ...home,
    LC_ALL: "C",
    TZ: "UTC",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    // Pawl reads refs of repositories that it made from their files; git 3 would make reftables.
    GIT_DEFAULT_REF_FORMAT: "files",
    ...settings(reach === "user" ? SETTINGS : [...SETTINGS, ...PRIVATE_SETTINGS]),
  };
}

/** More settings for one command, on top of those of `environment`. */
export function withSettings(environment: Environment, more: [string, string][]): Environment {
  return { ...environment, ...settings(more, Number(environment["GIT_CONFIG_COUNT"])) };
}

function settings(list: [key: string, value: string][], from = 0): Environment {
  const entries = list.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${from + index}`, key],
    [`GIT_CONFIG_VALUE_${from + index}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(from + list.length) };
}
