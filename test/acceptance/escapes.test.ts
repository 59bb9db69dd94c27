// One session inside walls tries every way out that docs/security.md lists, and reports as a table.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFactory, shellAgent, LIMITS, TEST_GATE, type Factory } from "../support/pawl.ts";
import { ESCAPES, NETWORK_ESCAPES, TRAPS, type Escape } from "../support/escapes.ts";
import { MAIN } from "../support/program.ts";
import { noWalls, WALLS } from "../support/walls.ts";

/** Commits first, so that what happens to the work can be seen; then tries everything. */
const script = (escapes: Escape[]): string => `
echo work > work.txt && git add work.txt && git commit -qm Work
try() { if timeout 60 sh -c "$2" > /dev/null 2>&1 < /dev/null; then echo "open $1"; else echo "refused $1"; fi >> "$SEEN/table"; }
${escapes.map(({ name, way }) => `try ${word(name)} ${word(way)}`).join("\n")}
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;
const word = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A number of seconds that no other process sleeps. */
const SLEEP = String(1_000_000 + process.pid);

type World = Factory & { seen: string; traps: string; table(): Map<string, string> };

/** Files outside the worlds. */
const left: string[] = [];
const servers: Server[] = [];
const listen = (path: string | number): Server => {
  const server = createServer((socket) => socket.destroy()).listen(path);
  servers.push(server);
  return server;
};

async function makeWorld(escapes: Escape[], isolation: string): Promise<World> {
  const factory = await makeFactory({ files: { "agent.sh": script(escapes) } });
  const { root, home, env, project } = factory;
  const user = env["HOME"] ?? "";
  const seen = join(root, "seen");
  const traps = join(root, "traps");
  const sibling = join(home, "projects", project, "workspaces", "dev-99");
  const secrets: Record<string, string> = {
    [join(home, ".env")]: "SECRET=1\n",
    [join(user, ".ssh/id_ed25519")]: "key\n",
    [join(user, ".gnupg/secring.gpg")]: "key\n",
    [join(user, ".aws/credentials")]: "key\n",
    [join(user, ".config/gh/hosts.yml")]: "token\n",
    [join(user, ".git-credentials")]: "https://ada:hunter2@example.org\n",
    [join(user, "notes.txt")]: "private\n",
    [join(root, "tmp/file.txt")]: "private\n",
    [join(sibling, "secret.txt")]: "private\n",
    [join(home, "projects", project, "runs/9.9/1/phase")]: "PHASE:done\n",
    [join(traps, "keep")]: "kept\n",
  };
  for (const [path, text] of Object.entries(secrets)) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  }
  mkdirSync(seen);
  const other = spawn("sleep", ["600"], { env: { OUT_SECRET: "1" } });
  const sockets = ["agent", "gpg", "docker", "bus"].map((name) => join(root, "run", name));
  for (const path of sockets) listen(path);
  const abstract = `pawl-test-${project}`;
  listen(`\0${abstract}`);
  const server = listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const shm = `/dev/shm/pawl-test-${project}`;
  if (existsSync("/dev/shm")) {
    writeFileSync(shm, "private");
    left.push(shm);
  }
  const known: Record<string, string> = {
    SEEN: seen,
    MAIN,
    NODE_COMPILE_CACHE: env["NODE_COMPILE_CACHE"] ?? "",
    OUT_HOME: home,
    OUT_RUN: join(root, "run"),
    OUT_REPO: factory.repo,
    OUT_TMP_FILE: join(root, "tmp/file.txt"),
    OUT_SSH_AGENT: sockets[0] ?? "",
    OUT_GPG_AGENT: sockets[1] ?? "",
    OUT_DOCKER: sockets[2] ?? "",
    OUT_BUS: sockets[3] ?? "",
    OUT_TMUX: factory.socket,
    OUT_DAEMON: join(factory.socket, "..", "daemon.sock"),
    OUT_DAEMON_PID: String(process.pid),
    OUT_PID: String(other.pid),
    OUT_SIBLING: sibling,
    OUT_HUB: join(home, "projects", project, "hub.git"),
    OUT_SHM: shm,
    OUT_PORT: String(port),
    OUT_ABSTRACT: abstract,
    OUT_TRAPS: traps,
    OUT_SLEEP: SLEEP,
  };
  const agent = shellAgent(
    `env = { ${Object.entries(known)
      .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
      .join(", ")} }\n`,
  );
  const walls = isolation.replace("SEEN", seen);
  factory.commit({ "pawl.toml": factory.config(`${agent}${TEST_GATE}${LIMITS}${walls}`) });
  await factory.addIssue({ title: "Get out" });
  await factory.ok("run", "--until-idle");
  other.kill();
  const table = (): Map<string, string> =>
    new Map(
      readFileSync(join(seen, "table"), "utf8")
        .trim()
        .split("\n")
        .map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]),
    );
  return { ...factory, seen, traps, table };
}

afterAll(() => {
  for (const server of servers) server.close();
  for (const path of left) rmSync(path, { force: true });
});

describe.skipIf(noWalls)("inside walls", () => {
  let world: World;
  let table: Map<string, string>;
  beforeAll(async () => {
    world = await makeWorld([...ESCAPES, ...TRAPS], `${WALLS}tmp_mb = 16\nwrite = ["SEEN"]\n`);
    table = world.table();
  }, 280_000);
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(ESCAPES.map(({ name }) => name))("an agent cannot %s", (name) => {
    expect(table.get(name)).toBe("refused");
  });

  test("no trap in a clone is sprung by Pawl's own git and wrapper, and the work lands", () => {
    for (const { name } of TRAPS) expect([name, table.get(name)]).toEqual([name, "open"]);
    expect(world.git("show", "main:work.txt")).toBe("work");
    expect(existsSync(join(world.traps, "keep"))).toBe(true);
    expect(readFileSync(join(world.traps, "keep"), "utf8")).toBe("kept\n");
    expect(
      ["hook", "fsmonitor", "filter", "program", "alias", "ending"].filter((name) =>
        existsSync(join(world.traps, `trap-${name}`)),
      ),
    ).toEqual([]);
    expect(existsSync(join(world.traps, "exit.json.tmp"))).toBe(false);
  });

  test("nothing that an agent started outlives its session", () => {
    const lines = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(commandLine);
    expect(lines.filter((line) => line.startsWith(`sleep ${SLEEP}`))).toEqual([]);
  });
});

/** A way that is closed anyway would prove nothing about walls. As root, who may do the most. */
const PROVING = [...ESCAPES, ...NETWORK_ESCAPES].filter(
  ({ isHarmful, other }) => isHarmful !== true && other === undefined,
);

describe.skipIf(process.getuid?.() !== 0)("without walls", () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(PROVING, '\n[isolation]\nmode = "none"\n');
  }, 280_000);
  afterAll(() => world[Symbol.asyncDispose]());

  test("each of these ways is open, so that it is the walls that close it", () => {
    const table = world.table();
    const closed = PROVING.filter(({ name }) => table.get(name) !== "open");
    expect(closed.map(({ name }) => name)).toEqual([]);
  });
});

describe.skipIf(noWalls)('inside walls with network = "none"', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(NETWORK_ESCAPES, `${WALLS}network = "none"\nwrite = ["SEEN"]\n`);
  }, 280_000);
  afterAll(() => world[Symbol.asyncDispose]());

  test.each(NETWORK_ESCAPES.map(({ name }) => name))("an agent cannot %s", (name) => {
    expect(world.table().get(name)).toBe("refused");
  });
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
