// A git that looks into an agent's workspace runs inside walls of its own, where the project has walls.
// Git follows links, and reads `.git` as the agent left it: outside, a link in place of `.git/refs` or of a
// file would bring what it leads to into the hub, where the agent can read it. Inside there is nothing of
// the machine but the hub and this workspace, also for a link that is put in its place while git runs.
import { readlinkSync } from "node:fs";
import process from "node:process";
import type { RunRequest } from "../shared/run.ts";

export type Apart = {
  /** The folder of all workspaces of the project. */
  workspaces: string;
  around: (
    argv: readonly string[],
    room: { cwd: string; env: Record<string, string>; write: string[] },
  ) => Promise<[string, ...string[]]>;
};

type Call = Pick<RunRequest, "argv" | "cwd" | "env" | "shown">;

/** The same call, inside walls where it names a workspace. */
export async function setApart<T extends Call>(
  call: T,
  { workspaces, around, hub }: Apart & { hub: string },
): Promise<T> {
  const held = new Held();
  const env = Object.fromEntries(
    Object.entries(call.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, held.named(value)]],
    ),
  );
  const cwd = held.named(call.cwd);
  const argv = call.argv.map((word) => held.named(word));
  const words = [cwd, ...argv, ...Object.values(env), ...held.targets];
  const named = words.flatMap((word) => workspaceOf(word, workspaces) ?? []);
  if (named.length === 0) return call;
  const room = { cwd: held.links.length === 0 ? cwd : hub, env };
  const inside = held.links.length === 0 ? argv : withLinks(held.links, [cwd, ...argv]);
  const walled = await around(inside, { ...room, write: [hub, ...new Set(named)] });
  return { ...call, ...room, argv: walled, shown: call.argv };
}

function workspaceOf(word: string, workspaces: string): string | undefined {
  if (!word.startsWith(`${workspaces}/`)) return undefined;
  const [name = ""] = word.slice(workspaces.length + 1).split("/");
  // One that is being made: no agent has been there yet, and where walls cannot be built it is the start of
  // the agent that says so.
  return name.endsWith(".new") ? undefined : `${workspaces}/${name}`;
}

type Link = { at: string; to: Buffer };

const HELD = new RegExp(`^/proc/${process.pid}/fd/(?<number>\\d+)`);

/** Folders that this process holds open: their names here say nothing inside, so their real ones are used. */
class Held {
  /** Of names that are no text, which a program cannot be given: links lead to them. */
  readonly links: Link[] = [];

  get targets(): string[] {
    return this.links.map(({ to }) => to.toString("utf8"));
  }

  named(word: string): string {
    return word.replace(HELD, (held) => this.#real(held));
  }

  #real(held: string): string {
    const to = readlinkSync(held, { encoding: "buffer" });
    const text = to.toString("utf8");
    if (Buffer.from(text).equals(to)) return text;
    const at = `/tmp/held-${HELD.exec(held)?.groups?.["number"]}`;
    if (!this.links.some((link) => link.at === at)) this.links.push({ at, to });
    return at;
  }
}

/** Makes the links in the private /tmp, goes to the first word behind them and runs the rest. */
const LINKED = `while [ "$1" != -- ]; do to=$(printf '%b.' "$2"); ln -s "\${to%.}" "$1" || exit 126; shift 2; done
shift; cd "$1" || exit 126
shift; exec "$@"`;

const withLinks = (links: Link[], argv: string[]): string[] => [
  "sh",
  "-c",
  LINKED,
  "sh",
  ...links.flatMap(({ at, to }) => [at, escaped(to)]),
  "--",
  ...argv,
];

/** For `%b` of printf: every byte in octal. */
const escaped = (bytes: Buffer): string =>
  [...bytes].map((byte) => `\\0${byte.toString(8).padStart(3, "0")}`).join("");
