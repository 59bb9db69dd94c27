// Hosts that a test may address: servers in a network namespace of its own, behind a pair of virtual
// cables, and names for them that only the sessions of the test's factory know. Nothing else of any
// network is ever addressed. Needs root, ip and unshare.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";

/** Why there are none here; undefined where there can be. */
export const noOtherHosts = ((): string | undefined => {
  if (process.getuid?.() !== 0) return "not root";
  for (const [program, ...args] of [
    ["ip", "netns", "list"],
    ["unshare", "-m", "true"],
    ["bwrap", "--version"],
    ["curl", "--version"],
  ]) {
    if (spawnSync(program ?? "", args).status !== 0)
      return `${program} is not there or not allowed`;
  }
  return undefined;
})();
if (noOtherHosts !== undefined) console.log(`SKIPPED: no network namespaces (${noOtherHosts})`);

/** Answers with its own name; /to/HOST leads there. */
const SERVER = `import { createServer } from "node:http";
const [address, name] = process.argv.slice(2);
createServer((request, response) => {
  const to = /^\\/to\\/(.*)$/.exec(request.url)?.[1];
  if (to !== undefined) response.writeHead(302, { location: "http://" + to + "/" });
  response.end("this is " + name + " for " + request.headers.host + "\\n");
}).listen(80, address, () => console.log("ready"));
`;

export type OtherHosts = AsyncDisposable & {
  /** To be put in front of PATH: sessions that it starts know the names. */
  path: string;
  addressOf: (name: string) => string;
};

let count = 0;

/** `names`: each is served at an address of its own. `more`: names that lead to these addresses. */
export async function makeOtherHosts(
  root: string,
  names: readonly string[],
  more: Record<string, string> = {},
): Promise<OtherHosts> {
  count += 1;
  const id = `pw${process.pid % 100_000}${count}`;
  const net = `10.${200 + (process.pid % 50)}.${Math.floor(process.pid / 50) % 250}`;
  const sh = (command: string): void => {
    const { status, stderr } = spawnSync("sh", ["-ec", command], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  const addressOf = (name: string): string => `${net}.${names.indexOf(name) + 2}`;
  sh(`ip netns add ${id}
ip link add ${id}a type veth peer name ${id}b
ip link set ${id}b netns ${id}
ip addr add ${net}.1/24 dev ${id}a
ip link set ${id}a up
ip -n ${id} link set ${id}b up
ip -n ${id} link set lo up
${names.map((name) => `ip -n ${id} addr add ${addressOf(name)}/24 dev ${id}b`).join("\n")}`);
  const server = join(root, "other-host.mjs");
  writeFileSync(server, SERVER);
  const servers: ChildProcess[] = [];
  for (const name of names) {
    const argv = ["netns", "exec", id, process.execPath, server, addressOf(name), name];
    const child = spawn("ip", argv, { stdio: ["ignore", "pipe", "inherit"] });
    servers.push(child);
    await once(child.stdout, "data");
  }
  const hosts = join(root, "hosts");
  const known = [...names.map((name) => [name, addressOf(name)]), ...Object.entries(more)];
  writeFileSync(hosts, known.map(([name, address]) => `${address} ${name}\n`).join(""));
  return {
    path: wrappedTmux(root, hosts),
    addressOf,
    [Symbol.asyncDispose]: async () => {
      for (const child of servers) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      sh(`ip link del ${id}a; ip netns del ${id}`);
    },
  };
}

/** The names are known in the mount namespace of the test's own tmux server, and so in its sessions. */
function wrappedTmux(root: string, hosts: string): string {
  const folder = join(root, "wrapped");
  mkdirSync(folder);
  const tmux = spawnSync("sh", ["-c", "command -v tmux"], { encoding: "utf8" }).stdout.trim();
  const program = join(folder, "tmux");
  writeFileSync(
    program,
    `#!/bin/sh\nexec unshare -m sh -c 'mount --bind "$0" /etc/hosts && exec "$@"' '${hosts}' '${tmux}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  return folder;
}
