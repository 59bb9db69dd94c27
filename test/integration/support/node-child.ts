// A second Node on the same sources, for what only another process can show. It runs a piece of
// JavaScript in which `path`, `gc` and the named imports exist, and is always ended by its own id.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

export type NodeChild = {
  pid: number;
  /** Resolves once it has printed this line; rejects if it ends first. */
  line(wanted: string): Promise<void>;
  firstLine(): Promise<string>;
  /** All it printed, once it has ended by itself. */
  output(): Promise<string[]>;
  kill(): Promise<void>;
};

/** `imports`: `{file under src/store} {name}`. */
export function startNode(start: { code: string; imports: string[]; path: string }): NodeChild {
  const code = [
    ...start.imports.map(importLine),
    `const path = ${JSON.stringify(start.path)};`,
    start.code,
  ].join("\n");
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));

  /** Waits until one of its lines is wanted, now or later. */
  async function find(wanted: (line: string) => boolean): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const already = lines.find(wanted);
    if (already !== undefined) return already;
    reader.on("line", (line) => {
      if (wanted(line)) resolve(line);
    });
    reader.once("close", () => reject(new Error(`the child ended early: ${lines.join(" | ")}`)));
    return promise;
  }

  return {
    pid: child.pid ?? -1,
    async line(wanted) {
      await find((line) => line === wanted);
    },
    firstLine: () => find(() => true),
    async output() {
      await ended;
      return lines;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function importLine(spec: string): string {
  const [file = "", name = ""] = spec.split(" ");
  const url = pathToFileURL(join(import.meta.dirname, "../../../src/store", file)).href;
  return `import { ${name} } from ${JSON.stringify(url)};`;
}
