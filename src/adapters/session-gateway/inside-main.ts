// Inside the walls: `node inside-main.js PORT=SOCKET … -- COMMAND`. A session without a network has a
// loopback of its own; what it sends to these ports goes to the sockets of its gateway, byte for byte.
// Nothing is decided here: where this process is killed, the agent has no way out at all.
import { connect, createServer } from "node:net";
import process from "node:process";
import { runChild } from "./run-child.ts";

const CANNOT_START = 126;

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const end = words.indexOf("--");
  for (const word of words.slice(0, end)) {
    const at = word.indexOf("=");
    await forward(Number(word.slice(0, at)), word.slice(at + 1));
  }
  runChild(words.slice(end + 1));
}

const forward = (port: number, socket: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect({ path: socket, allowHalfOpen: true });
      near.on("error", () => far.destroy());
      far.on("error", () => near.destroy());
      near.pipe(far).pipe(near);
    });
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

main().catch((error: unknown) => {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`pawl: cannot open the way to the session's gateway: ${why}\r\n`);
  process.exit(CANNOT_START);
});
