// Where a factory lives: PAWL_HOME, and the short private folder for its sockets.
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** $PAWL_HOME, else $XDG_STATE_HOME/pawl, else ~/.local/state/pawl: outside any repository. */
export function pawlHome(env: Environment): string {
  const named = env["PAWL_HOME"];
  if (named !== undefined && named !== "") return resolve(named);
  const state = env["XDG_STATE_HOME"];
  if (state !== undefined && state !== "") return join(resolve(state), "pawl");
  return join(env["HOME"] ?? homedir(), ".local", "state", "pawl");
}

/**
 * $XDG_RUNTIME_DIR/pawl/{factory}, else a folder of this user in the temporary folder. Sockets live
 * here, because their paths may have 107 bytes at most and a home folder can be deep.
 */
export function runtimeFolder(env: Environment, home: string): string {
  const base = env["XDG_RUNTIME_DIR"];
  const factory = fingerprint(home);
  // Inside a session: the daemon says where it listens. It says nothing about another factory.
  const told = env["PAWL_RUNTIME"];
  if (told !== undefined && isAbsolute(told) && basename(told) === factory) return told;
  if (base !== undefined && base !== "" && base.length < 60) return join(base, "pawl", factory);
  return join(shortTemporary(), `pawl-${userInfo().uid}`, factory);
}

/** The two sockets of a factory, by the folder they are in. */
export const daemonSocket = (runtime: string): string => join(runtime, "daemon.sock");
export const tmuxSocket = (runtime: string): string => join(runtime, "tmux.sock");

const shortTemporary = (): string => (tmpdir().length < 40 ? tmpdir() : "/tmp");

/** Names the factory in few bytes (FNV-1a); two homes of one user do not share sockets. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0").slice(0, 12);
}
