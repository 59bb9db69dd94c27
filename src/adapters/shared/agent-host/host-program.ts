// The program that runs in the pane: `node NAME-host.js DIR`. What it is to do is in DIR/host.json,
// which the daemon has written at the launch (hosted-agent.ts); its environment is the agent's.
import process from "node:process";
import { createInterface } from "node:readline";
import type { CreateDriver } from "./driver.ts";
import { Host } from "./host.ts";
import { HOST_FILE, hostFileIn } from "./hosted-agent.ts";
import type { OwnScreen } from "./own-screen.ts";
import { createSpool } from "./spool-writer.ts";
import { Transcript } from "./transcript.ts";

/** A guard for agents that ignore that they are ended. */
const LEAVE_MAX_MS = 5_000;

export async function runHostProgram(createDriver: CreateDriver): Promise<void> {
  const [dir] = process.argv.slice(2);
  if (dir === undefined) throw new Error("usage: node NAME-host.js DIR");
  const file = await hostFileIn(dir);
  if (file === undefined) throw new Error(`${dir} has no ${HOST_FILE}`);
  const env = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const transcript = new Transcript((text) => {
    if (driver.screen?.isShown !== true) process.stdout.write(text);
  });
  const driver = createDriver({
    argv: file.argv,
    env: Object.fromEntries(env),
    workspace: file.workspace,
    dir,
    model: file.model,
    settings: file.settings,
    onEvent: (event) => host.onEvent(event),
  });
  const host = new Host({
    dir,
    driver,
    resume: file.resume,
    spool: createSpool(dir),
    transcript,
    silenceMs: file.silenceMs,
  });
  listen(host);
  const { screen } = driver;
  if (screen === undefined) readLines((line) => host.typed(line));
  else if (screen.isOnDemand) {
    transcript.note("press Enter for its own screen, or type what it should do; Ctrl-C interrupts");
    offer(screen, host);
  }
  const code = await host.run();
  process.exit(code);
}

function listen(host: Host): void {
  const leave = (code: number): void => {
    host.leave(code);
    setTimeout(() => process.exit(code), LEAVE_MAX_MS).unref();
  };
  process.on("SIGINT", () => host.interrupt());
  process.on("SIGTERM", () => leave(143));
  process.on("SIGHUP", () => leave(129));
  // A pane that is gone takes no output.
  process.stdout.on("error", () => {});
}

function readLines(onLine: (line: string) => void): { close(): void } {
  return createInterface({ input: process.stdin }).on("line", onLine);
}

/** Shown when a person attaches, whose terminal mostly has another size, or presses Enter. */
function offer(screen: OwnScreen, host: Host): void {
  const onLine = (line: string): void => (line === "" ? screen.want() : host.typed(line));
  let reader = readLines(onLine);
  screen.onChange(() => {
    if (screen.isShown) reader.close();
    else reader = readLines(onLine);
  });
  process.on("SIGWINCH", () => screen.want());
}
