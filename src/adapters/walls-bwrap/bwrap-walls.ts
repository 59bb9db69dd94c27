// Walls by bubblewrap: namespaces of its own, and a root folder that holds only what is named. The
// whole session is inside, not each command: what an agent leaves running ends with it.
//
// TERM and INT go to the whole group of a terminal, so that they reach the agent and bubblewrap alike.
// bubblewrap would die of them and take the agent with it at once; so it ignores them, and `env` gives
// the agent their usual meaning again.
import { existsSync, readlinkSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { NO_WALLS, type Room, type Walls } from "../../ports/walls.ts";
import { packageRoot } from "./package-root.ts";
import { run } from "../shared/run.ts";
import { findBwrap, type Bwrap } from "./find-bwrap.ts";
import { holdLimits } from "./hold-limits.ts";
import { judgeProbe } from "./judge-probe.ts";
import { placeState } from "./agent-state.ts";
import { isOfSystem, systemArguments } from "./system-places.ts";
import { programPlaces, toolPlaces } from "./tool-places.ts";

const PROBE = fileURLToPath(new URL("./probe.sh", import.meta.url));
const WITHOUT_KEYRINGS = fileURLToPath(new URL("./without-keyrings.sh", import.meta.url));
const PROBE_TIMEOUT_MS = 30_000;
const PROBE_MAX_BYTES = 64 * 1024;
const SIGNALS = ["HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "ALRM"];

const NAMESPACES =
  "--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try --hostname pawl --die-with-parent --cap-drop ALL".split(
    " ",
  );
/** root owns these files, and so may write them without any capability; other users may not. */
const KERNEL =
  process.getuid?.() === 0
    ? ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi"].flatMap((name) => [
        "--ro-bind-try",
        `/proc/${name}`,
        `/proc/${name}`,
      ])
    : [];
/** The names of the user's keys; where the kernel has no keyrings, they are not there. */
const KEYS = ["/proc/keys", "/proc/key-users"]
  .filter((path) => existsSync(path))
  .flatMap((path) => ["--ro-bind", "/dev/null", path]);
const FRESH = [..."--proc /proc --dev /dev --dir /var/tmp".split(" "), ...KERNEL, ...KEYS];

export function createBwrapWalls(): Walls {
  return {
    around: (room, argv) => commandIn(room, argv, SIGNALS_KEPT),
    placeState,
    limits: async ({ limits }) => holdLimits(limits).said,
    probe: async (room) => {
      // No signal of a terminal reaches it.
      const argv = await commandIn(room, ["sh", PROBE, ...room.hidden], NO_SIGNALS);
      const { stdout: said } = await run({
        argv,
        cwd: room.cwd,
        env: room.env,
        timeoutMs: PROBE_TIMEOUT_MS,
        maxBytes: PROBE_MAX_BYTES,
        what: "build the walls of [isolation]",
      }).catch((error: unknown) => {
        throw error instanceof OperationError ? notBuilt(error) : error;
      });
      const { network, limits } = room.isolation;
      const held = holdLimits(limits);
      const found = judgeProbe({ said, outside: ownNamespaces(), network, limits: held.seen });
      return [...found, ...held.said];
    },
  };
}

/** `ignored`: signals that bubblewrap ignores; `inside`: what gives the program their usual meaning. */
type Around = { ignored: string[]; inside: string[] };
const NO_SIGNALS: Around = { ignored: [], inside: [] };
const SIGNALS_KEPT: Around = {
  ignored: SIGNALS,
  inside: ["env", `--default-signal=${SIGNALS.join(",")}`],
};

async function commandIn(
  room: Room,
  argv: readonly string[],
  { ignored, inside }: Around,
): Promise<[string, ...string[]]> {
  const bwrap = await findBwrap(room.env["PATH"]);
  const words = await argumentsFor(room, bwrap, room.program ?? argv[0] ?? "");
  const held = holdLimits(room.isolation.limits);
  const start = ["sh", WITHOUT_KEYRINGS, ignored.join(" "), bwrap.path, "--seccomp", "9"];
  const walled = [...start, ...words, "--", ...inside, ...held.inside(argv)];
  return held.outside(walled, room.env) as [string, ...string[]];
}

/** The kernel's or the container's word: user namespaces are switched off, say. */
const notBuilt = (cause: OperationError): OperationError =>
  new OperationError(cause.message, {
    code: NO_WALLS,
    hint: "bubblewrap needs unprivileged user namespaces; see docs/security.md",
    cause,
  });

const ownNamespaces = (): string[] =>
  ["pid", "ipc", "uts", "mnt", "user", "net"].map((name) => readlinkSync(`/proc/self/ns/${name}`));

async function argumentsFor(room: Room, { can }: Bwrap, program: string): Promise<string[]> {
  const { isolation, env, cwd } = room;
  const home = env["HOME"] ?? "/nonexistent";
  const own = (path: string): string => (path.startsWith("~/") ? join(home, path.slice(2)) : path);
  const size = can.size ? ["--size", String(isolation.tmpMb * 1024 ** 2)] : [];
  const read = [
    ...toolPlaces(env["PATH"] ?? "", home),
    ...programPlaces(program, home),
    dirname(process.execPath),
    packageRoot(),
    ...room.read,
    ...isolation.read.map(own),
  ];
  const write = [...isolation.write.map(own), ...room.write, cwd];
  return [
    ...NAMESPACES,
    ...(isolation.network === "open" ? [] : ["--unshare-net"]),
    ...(can.disableUserns ? ["--disable-userns"] : []),
    ...(await systemArguments()),
    ...FRESH,
    ...isolation.devices.flatMap((path) => ["--dev-bind-try", path, path]),
    ...["--perms", "1777"].concat(size, "--tmpfs", "/tmp"),
    ...["--perms", "0700"].concat(size, "--tmpfs", home),
    ...(await bound("--ro-bind", read)),
    ...room.masked.filter(isOfSystem).flatMap((path) => ["--tmpfs", path]),
    ...(await bound("--bind", write)),
    ...(room.placed ?? []).flatMap(placedAt),
    ...(room.links ?? []).flatMap(({ at, to }) => ["--symlink", to, at]),
    "--remount-ro",
    "/",
    "--chdir",
    cwd,
  ];
}

const placedAt = ({ from, at, isWritable }: NonNullable<Room["placed"]>[number]): string[] => [
  isWritable ? "--bind" : "--ro-bind",
  from,
  at,
];

/**
 * Outer folders first: a mount hides what was mounted below it before. What lies in one of them is
 * there already, unless a link leads out of it: then what the link leads to is shown where it is.
 */
async function bound(option: string, paths: string[]): Promise<string[]> {
  const sorted = [...new Set(paths)].toSorted((a, b) => a.length - b.length);
  const found = await Promise.all(sorted.map((path) => ifThere(realpath(path))));
  const there = sorted.flatMap((path, index) => {
    const real = found[index];
    return real === undefined ? [] : [{ path, real }];
  });
  const outer = there.filter(
    ({ path, real }) =>
      !there.some((one) => path.startsWith(`${one.path}/`) && real.startsWith(`${one.real}/`)),
  );
  const places = outer.map(({ path, real }) =>
    outer.some((one) => path.startsWith(`${one.path}/`)) ? real : path,
  );
  const inOrder = [...new Set(places)].toSorted((a, b) => a.length - b.length);
  return inOrder.flatMap((place) => [option, place, place]);
}
