// `npm run pictures`: records `pawl demo` as it runs in a terminal and draws it as
// docs/pictures/demo.svg, which the README opens with. Needs `script` (util-linux) and tmux.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { build } from "./build.ts";
import { drawRecording } from "./pictures/draw.ts";
import { createScreen, type Recording } from "./pictures/screen.ts";

const PICTURE = join(import.meta.dirname, "../docs/pictures/demo.svg");
const SIZE = { columns: 100, rows: 28 };
const PROMPT = "$ pawl demo\r\n";
/** A picture that does not move is not watched: longer pauses are cut to this. */
const PAUSE_MAX_MS = 700;

/** The package, on a PATH of its own: the recording shows what a user types and sees. */
async function record(root: string): Promise<Recording> {
  const bin = join(root, "bin");
  mkdirSync(bin);
  await build(join(root, "pawl/dist"));
  writeFileSync(join(root, "pawl/package.json"), '{"type":"module"}\n');
  symlinkSync(join(root, "pawl/dist/main.js"), join(bin, "pawl"));
  const path = [bin, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const env = { PATH: path, HOME: join(root, "user"), TERM: "xterm-256color", LANG: "C.UTF-8" };
  mkdirSync(env.HOME);
  const size = `stty cols ${SIZE.columns} rows ${SIZE.rows}`;
  const child = spawn("script", ["-qefc", `${size} && pawl demo`, "/dev/null"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise((resolve) => child.on("exit", resolve));
  const screen = createScreen(SIZE, PAUSE_MAX_MS);
  await screen.write(PROMPT, performance.now());
  for await (const part of child.stdout.setEncoding("utf8")) {
    await screen.write(String(part), performance.now());
  }
  const code = await exited;
  if (code !== 0) throw new Error(`pawl demo exited ${String(code)}`);
  return screen.end();
}

/** Its own only: `pawl demo --clean` would remove those of others too. */
function removeDemo({ lines }: Recording): void {
  const text = lines.flat().flatMap(({ spans }) => spans.map((span) => span.text));
  const folder = /scratch repository in (\S+)\.$/m.exec(text.join("\n"))?.[1];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

const root = mkdtempSync(join(tmpdir(), "pawl-pictures-"));
try {
  const recording = await record(root);
  removeDemo(recording);
  mkdirSync(dirname(PICTURE), { recursive: true });
  writeFileSync(PICTURE, drawRecording(recording));
  console.log(`wrote ${PICTURE}: ${recording.lines.length} lines, ${recording.ms} ms`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
