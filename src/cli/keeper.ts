// Starts the keeper, which starts the daemon and starts it again when it dies. Lies beside
// keeper.sh, because in the bundle all assets lie beside the code.
import { spawn, type ChildProcess } from "node:child_process";
import { openSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Deps } from "./deps.ts";

const KEEPER = fileURLToPath(new URL("./keeper.sh", import.meta.url));

/** In a session of its own, so that closing the terminal does not end it. `output`: a file. */
export function startKeeper(deps: Pick<Deps, "env">, home: string, output: string): ChildProcess {
  const main = process.argv[1] ?? "";
  const command = [process.execPath, ...process.execArgv, main, "daemon"];
  const file = openSync(output, "a", 0o600);
  const child = spawn("sh", [KEEPER, home, ...command], {
    detached: true,
    stdio: ["ignore", file, file],
    cwd: "/",
    env: deps.env,
  });
  child.unref();
  return child;
}
